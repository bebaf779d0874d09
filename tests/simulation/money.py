"""Requests that move chips outside of hands, and requests that close a night."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from league.closing.payments import repeated_id
from tests.simulation.beginning import BOX, MOST_CHIPS, NAMES
from tests.simulation.model import BEARER, Exchange, Model, Payment, Seat
from tests.simulation.phone_request import Maker, PhoneRequest, at_open
from tests.simulation.snapshot import Snapshot

BUY_IN = 500
BY_BOB = 0.4
# Actions on a payment: the states in which they are allowed, and the state afterwards.
STEPS = {
    "confirm": ({"promised", "disputed"}, "confirmed"),
    "dispute": ({"promised"}, "disputed"),
    "withdraw": ({"promised", "disputed", "confirmed"}, "withdrawn"),
}


class Money(Maker):
    """Creates requests for chips, chip counts, closings, charges and payments."""

    def buy_in(self, _: Model) -> PhoneRequest:
        chips = self.chance.randrange(1, 4) * BUY_IN
        return self._exchange("buy in", "buy-ins", chips, 1)

    def cash_out(self, _: Model) -> PhoneRequest:
        return self._exchange("cash out", "cash-outs", self.chance.randrange(1, 50), -1)

    def _exchange(self, kind: str, place: str, chips: int, sign: int) -> PhoneRequest:
        """Buy or return chips on the tab or, in every third request, for cash of the cash box."""
        night, name, key = self.night(), self.name(), self.id()
        in_cash = self.chance.randrange(3) == 0
        more = {"beyond_limits": self.chance.randrange(3) == 0} if sign > 0 else {}
        self.exchanges[key] = (night, place)

        def exchanged(model: Model, snapshot: Snapshot) -> None:
            model.nights[night].exchanges[key] = Exchange(name, sign * chips, snapshot.now)
            if in_cash:
                model.cash[key] = (name, sign * chips)
            model.rows.add(key)

        def is_allowed(model: Model) -> bool | None:
            if sign > 0 and at_open(night)(model):
                stack = max(model.nights[night].stacks()[name], 0)
                return more["beyond_limits"] or stack + chips <= MOST_CHIPS
            if sign > 0:
                return False
            if night not in model.open_nights() or chips > model.nights[night].stacks()[name]:
                return False
            if in_cash:  # a payment plan may have assigned the cash to a player
                return None if model.in_box() >= chips else False
            return True

        return PhoneRequest(
            kind=kind,
            path=f"/api/v1/nights/{night}/{place}",
            body={
                "id": key,
                "player": self.league.players[name],
                "chips": chips,
                "cash_box": in_cash,
                **more,
            },
            key=key,
            effect=exchanged,
            is_allowed=is_allowed,
        )

    def undo_exchange(self, _: Model) -> PhoneRequest | None:
        """Undo a mistaken buy-in or cash-out."""
        done = self.one_of(self.exchanges)
        if done is None:
            return None
        night, place = self.exchanges[done]

        def undone(model: Model, _: Snapshot) -> None:
            if done in model.undone:
                return
            model.undone.add(done)
            model.cash.pop(done, None)
            exchange = model.nights[night].exchanges.pop(done)
            seats = model.nights[night].seats
            # As in the service, a cash-out freed a seat if both have the same time.
            if place == "cash-outs" and seats[exchange.player].left == exchange.at:
                seats[exchange.player] = Seat()

        def is_allowed(model: Model) -> bool:
            there = night in model.open_nights() and done in model.rows
            return there and model.in_box() >= model.cash.get(done, ("", 0))[1]

        return PhoneRequest(
            kind=f"undo of {place}",
            path=f"/api/v1/nights/{night}/{place}/{done}/void",
            body={},
            key=self.id(),
            effect=undone,
            is_allowed=is_allowed,
            header=True,
        )

    def count(self, model: Model) -> PhoneRequest:
        """Report a player's chip count, by colour if there is a chip set, and usually correct."""
        night, name, key = self.night(), self.name(), self.id()
        known = model.nights[night].stacks()[name] if night in model.nights else 0
        pieces = in_colours(max(0, known), model.settings["chip_set"])
        if pieces and self.chance.random() < 0.3:
            value = self.one_of(pieces)
            pieces[value] = max(0, pieces[value] + self.chance.choice((-1, 1)))
        chips = sum(value * number for value, number in pieces.items())

        def counted(model: Model, snapshot: Snapshot) -> None:
            model.nights[night].counts[name] = (chips, snapshot.now)
            model.rows.add(key)

        return PhoneRequest(
            kind="count",
            path=f"/api/v1/nights/{night}/chip-counts",
            body={"id": key, "player": self.league.players[name], "chips": chips},
            key=key,
            effect=counted,
            is_allowed=at_open(night),
        )

    def close(self, _: Model) -> PhoneRequest:
        night, key = self.night(), self.id()
        header = self.chance.random() < 0.5

        def closed(model: Model, _: Snapshot) -> None:
            if not model.nights[night].closed:
                model.nights[night].close()

        def is_allowed(model: Model) -> bool | None:
            if night not in model.nights:
                return False
            return None if night in _played_for(model, self.tournaments) else True

        return PhoneRequest(
            kind="close",
            path=f"/api/v1/nights/{night}/closing",
            body={
                "id": key,
                "by_hands": True,
                "charge_difference_to": [self.league.players[BEARER]],
            },
            key=key,
            effect=closed,
            is_allowed=is_allowed,
            header=header,
            # For a closed night, the service returns the id of the earlier closing.
            is_used_up=lambda model: header or not model.nights[night].closed,
        )

    def reopen(self, _: Model) -> PhoneRequest:
        night = self.night()

        def opened(model: Model, _: Snapshot) -> None:
            model.nights[night].reopen()

        return PhoneRequest(
            kind="open again",
            path=f"/api/v1/nights/{night}/reopen",
            body={},
            key=self.id(),
            effect=opened,
            is_allowed=lambda model: night in model.nights,
            header=True,
        )

    def charge(self, _: Model) -> PhoneRequest:
        night, key, chips = self.night(), self.id(), self.chance.randrange(1, 60)
        gets, owes = self.chance.sample(NAMES, 2)
        self.charges[key] = (night, {gets: chips, owes: -chips})

        def charged(model: Model, snapshot: Snapshot) -> None:
            model.tabs.update({gets: chips, owes: -chips})
            model.rows.add(key)
            model.nights[night].settle_anew(snapshot.open_nights, night)

        shares = [
            {"player": self.league.players[gets], "credited": chips},
            {"player": self.league.players[owes], "charged": chips},
        ]
        return PhoneRequest(
            kind="charge",
            path=f"/api/v1/nights/{night}/charges",
            body={"id": key, "title": "pizza", "shares": shares},
            key=key,
            effect=charged,
            is_allowed=lambda model: night in model.nights,
        )

    def undo_charge(self, _: Model) -> PhoneRequest | None:
        done = self.one_of(self.charges)
        if done is None:
            return None
        night, nets = self.charges[done]

        def undone(model: Model, snapshot: Snapshot) -> None:
            if done not in model.undone:
                model.undone.add(done)
                model.tabs.subtract(nets)
                model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind="undo of a charge",
            path=f"/api/v1/nights/{night}/charges/{done}/void",
            body={},
            key=self.id(),
            effect=undone,
            is_allowed=lambda model: night in model.nights and done in model.rows,
            header=True,
        )

    def pay(self, plan: dict[str, Any]) -> PhoneRequest | None:
        """Report part of a planned payment as sent or received."""
        called = self.league.names
        unpaid = [each for each in plan["planned_payments"] if each["open_chips"] > 0]
        if not unpaid:
            return None
        planned, key = self.chance.choice(unpaid), self.id()
        chips, received = self.chance.randint(1, planned["open_chips"]), self.chance.random() < 0.5
        names = called[planned["payer"]], called[planned["payee"]]
        by_bob = self.chance.random() < BY_BOB

        def paid(model: Model, snapshot: Snapshot) -> None:
            promised = Payment(*names, chips, promised=(by_bob, snapshot.now))
            receipt = promised.confirmed(snapshot.now, by_bob=by_bob)
            model.payments[key] = receipt if received else promised
            model.rows.add(key)

        def is_allowed(_: Model) -> bool | None:
            return False if by_bob and names[received] != "bob" else None

        return PhoneRequest(
            kind="pay",
            path=f"/api/v1/payment-plans/{plan['id']}/payments",
            body={
                "id": key,
                "position": planned["position"],
                "chips": chips,
                "received": received,
            },
            key=key,
            effect=paid,
            is_allowed=is_allowed,
            by_bob=by_bob,
        )

    def settle_payment(self, model: Model) -> PhoneRequest | None:
        """Confirm, dispute or undo a payment."""
        payment, step = self.one_of(model.payments), self.one_of(STEPS)
        if payment is None:
            return None
        before, after = STEPS[step]
        by_bob = self.chance.random() < BY_BOB

        def settled(model: Model, snapshot: Snapshot) -> None:
            old = model.payments[payment]
            if old.state == after:
                return
            if step == "confirm":
                model.payments[payment] = old.confirmed(snapshot.now, by_bob=by_bob)
                return
            model.payments[payment] = replace(old, state=after)
            if old.state == "confirmed" and old.promised:
                again = str(repeated_id(UUID(payment)))
                model.payments[again] = replace(old, state=old.before, received=None)
                model.rows.add(again)

        def is_allowed(model: Model) -> bool | None:
            if payment not in model.payments:
                return False
            if by_bob and not _is_bobs(model.payments[payment], step):
                return False
            state, to = model.payments[payment].state, model.payments[payment].payee
            # Other payments may leave too few chips to confirm. Cash may have left the box.
            unsure = step == "confirm" or (step == "withdraw" and to == BOX)
            return None if unsure and state in before else state in {*before, after}

        return PhoneRequest(
            kind=step,
            path=f"/api/v1/payments/{payment}/{step}",
            body={},
            key=self.id(),
            effect=settled,
            is_allowed=is_allowed,
            header=True,
            by_bob=by_bob,
        )


def _is_bobs(payment: Payment, step: str) -> bool:
    """Return whether bob, who is not a host, may take this step."""
    if step != "withdraw":
        return payment.payee == "bob"
    if payment.state == "promised":
        return payment.payer == "bob"
    is_his = payment.payee == "bob" and payment.state == "confirmed"
    return is_his and payment.received is not None and _is_recent(payment.received)


def _is_recent(at: datetime) -> bool:
    return datetime.now(UTC) - at < timedelta(minutes=10)


def _played_for(model: Model, tournaments: dict[str, str]) -> set[str]:
    """Return the nights that may have a running tournament."""
    return {night for key, night in tournaments.items() if key in model.rows}


def in_colours(chips: int, chip_set: Sequence[Mapping[str, Any]]) -> Counter[int]:
    """Return the fewest pieces of each value that a player piles up. Pieces of 1 are the rest."""
    pieces: Counter[int] = Counter()
    for value in sorted((each["value"] for each in chip_set), reverse=True):
        pieces[value], chips = divmod(chips, value)
    pieces[1] += chips
    return pieces
