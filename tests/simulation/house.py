"""Requests about the house: side bets, seats and notices, settings, house rules, what-if."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.simulation.deals import OPTIONS, Deal
from tests.simulation.model import Bet, Exchange, Model, Seat
from tests.simulation.phone_request import Maker, PhoneRequest, at_open
from tests.simulation.side_games import waiting_bets
from tests.simulation.snapshot import Snapshot

WHITE = {"colour": "white", "value": 1, "count": 200}
RED = {"colour": "red", "value": 5, "count": 200}
BLUE = {"colour": "blue", "value": 25, "count": 100}
CHANGES: dict[str, tuple[Any, ...]] = {
    "leave_notice": (0, 30, 120),
    "bomb_pot_every": (0, 3, 5),
    "chip_set": ([], [WHITE, RED], [WHITE, RED, BLUE], [WHITE, RED | {"value": 10}, BLUE]),
}
TOPICS = ("", "misdeal")
WORDS = ("", "The deal passes.", "The dealer pays 2.\nThe deal passes.")


class House(Maker):
    """Creates requests that concern the house."""

    def confirm_bet(self, model: Model, night: str, charge: dict[str, Any]) -> PhoneRequest:
        """Confirm a side bet. `charge` is the body to send, as the service lists it."""
        bet, key = self.bet_of(model, night, charge), charge["id"]
        nets, by_host = dict(bet.nets), self.chance.random() < 0.5
        self.charges[key] = (night, nets)

        def confirmed(model: Model, snapshot: Snapshot) -> None:
            model.tabs.update(nets)
            model.rows.add(key)
            model.bets[key] = bet
            model.nights[night].settle_anew(snapshot.open_nights, night)

        def is_allowed(model: Model) -> bool:
            may_charge = by_host or night in model.open_nights()
            return may_charge and bet in waiting_bets(model, night)

        return PhoneRequest(
            kind=f"confirm a {bet.kind}",
            path=f"/api/v1/nights/{night}/charges",
            body=charge,
            key=key,
            effect=confirmed,
            is_allowed=is_allowed,
            by_host=by_host,
        )

    def bet_of(self, model: Model, night: str, charge: dict[str, Any]) -> Bet:
        """Return the model's bet for a charge."""
        nets = {
            self.league.names[each["player"]]: each["credited"] - each["charged"]
            for each in charge["shares"]
        }
        hand = charge["hand"]
        revisions = model.nights[night].hands[hand].revisions
        return Bet(charge["kind"], night, hand, revisions, tuple(sorted(nets.items())))

    def give_notice(self, _: Model) -> PhoneRequest:
        """Give notice of leaving or, sometimes, withdraw it."""
        night, name, leaving = self.night(), self.name(), self.chance.random() < 0.7

        def given(model: Model, snapshot: Snapshot) -> None:
            seats = model.nights[night].seats
            if not leaving:
                seats[name] = Seat()
            elif seats[name].leaving is None:
                notice = timedelta(minutes=model.settings["leave_notice"])
                seats[name] = Seat(leaving=snapshot.now + notice)

        def is_allowed(model: Model) -> bool:
            if night not in model.open_nights() or model.nights[night].seats[name].left:
                return False
            return not leaving or model.settings["leave_notice"] > 0

        return PhoneRequest(
            kind="give notice" if leaving else "withdraw notice",
            path=f"/api/v1/nights/{night}/leave-notice",
            body={"player": self.league.players[name], "leaving": leaving},
            key=self.id(),
            effect=given,
            is_allowed=is_allowed,
            header=True,
        )

    def leave(self, model: Model) -> PhoneRequest:
        """Cash out all chips and free the seat, sometimes before the notice is over."""
        night, name, key = self.night(), self.name(), self.id()
        known = model.nights[night].stacks()[name] if night in model.nights else 0
        chips, in_cash = max(0, known), self.chance.randrange(4) == 0
        confirms = self.chance.randrange(3) == 0

        def left(model: Model, snapshot: Snapshot) -> None:
            there = model.nights[night]
            if chips:
                there.exchanges[key] = Exchange(name, -chips, snapshot.now)
                model.cash |= {key: (name, -chips)} if in_cash else {}
            else:
                there.counts[name] = (0, snapshot.now)
            if there.seats[name].left is None:
                there.seats[name] = Seat(there.seats[name].leaving, snapshot.now)
            model.rows.add(key)

        def is_allowed(model: Model) -> bool | None:
            if night not in model.open_nights():
                return False
            is_early = chips and not confirms and _needs_notice(model, night, name)
            if is_early or chips > max(0, model.nights[night].stacks()[name]):
                return False
            if in_cash and chips:  # a payment plan may have assigned the cash to a player
                return None if model.in_box() >= chips else False
            return True

        return PhoneRequest(
            kind="leave",
            path=f"/api/v1/nights/{night}/cash-outs",
            body={
                "id": key,
                "player": self.league.players[name],
                "chips": chips,
                "cash_box": in_cash,
                "leaves": True,
                "beyond_limits": confirms,
            },
            key=key,
            effect=left,
            is_allowed=is_allowed,
        )

    def sit_down(self, model: Model) -> PhoneRequest:
        """Take a seat again, usually after leaving."""
        night = self.night()
        seats = model.nights[night].seats if night in model.nights else {}
        name = self.one_of(name for name, seat in seats.items() if seat.left) or self.name()

        def seated(model: Model, _: Snapshot) -> None:
            if model.nights[night].seats[name].left:
                model.nights[night].seats[name] = Seat()

        return PhoneRequest(
            kind="sit down",
            path=f"/api/v1/nights/{night}/seats",
            body={"player": self.league.players[name]},
            key=self.id(),
            effect=seated,
            is_allowed=at_open(night),
            header=True,
        )

    def change_settings(self, _: Model) -> PhoneRequest:
        """Change a setting. The request has no key, so a repeated one changes it again."""
        name = self.one_of(CHANGES)
        value = self.chance.choice(CHANGES[name])

        def changed(model: Model, _: Snapshot) -> None:
            model.settings[name] = value

        return PhoneRequest(
            kind=f"change {name}",
            path=f"/api/v1/leagues/{self.league.league}",
            body={name: value},
            key=self.id(),
            effect=changed,
            is_allowed=lambda _: True,
            is_used_up=lambda _: False,
            method="PATCH",
        )

    def write_rule(self, _: Model) -> PhoneRequest:
        """Write a house rule on its page. A repeated form is saved again."""
        topic, text = self.chance.choice(TOPICS), self.chance.choice(WORDS)

        def written(model: Model, _: Snapshot) -> None:
            versions = model.rules.get(topic, ())
            if text != (versions[-1] if versions else ""):
                model.rules[topic] = (*versions, text)

        return PhoneRequest(
            kind="write a house rule",
            path=f"/leagues/{self.league.league}/house-rules/write",
            body={"topic": topic, "text": text},
            key=self.id(),
            effect=written,
            is_allowed=lambda _: True,
            is_used_up=lambda _: False,
            is_form=True,
        )

    def other_options(self, deal: Deal) -> dict[str, str]:
        """Return options under which a hand may be settled differently."""
        if deal.cards is None:
            return {}
        names = self.chance.sample(list(OPTIONS), self.chance.randint(1, 2))
        return {name: self.chance.choice(OPTIONS[name]) for name in names}

    def correct_as(self, night: str, hand: str, deal: Deal, changes: str) -> PhoneRequest:
        """Correct a hand to the outcome of a what-if."""
        key = self.id()

        def corrected(model: Model, snapshot: Snapshot) -> None:
            hands = model.nights[night].hands
            hands[hand] = hands[hand].revised(deal)
            model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind="correct as what-if",
            path=f"/api/v1/hands/{hand}/revisions",
            body={"id": key, "record": deal.record, "reason": f"Settled again: {changes}"},
            key=key,
            effect=corrected,
            is_allowed=lambda model: hand in model.nights[night].hands,
        )


def _needs_notice(model: Model, night: str, name: str) -> bool:
    """Return whether the player may not leave with chips yet."""
    seat = model.nights[night].seats[name]
    if not model.settings["leave_notice"] or seat.left:
        return False
    return seat.leaving is None or seat.leaving > datetime.now(UTC)
