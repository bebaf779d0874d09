"""Requests that move chips outside of play, and that end a night."""

from dataclasses import replace
from typing import Any

from tests.simulation.asked import Asked, Maker, at_open, never_closed
from tests.simulation.beginning import NAMES
from tests.simulation.model import BEARER, Model, Payment
from tests.simulation.seen import Seen

BUY_IN = 500
# What is done to a payment, to one in which state, and in which state it is then.
STEPS = {
    "confirm": ({"promised", "disputed"}, "confirmed"),
    "dispute": ({"promised"}, "disputed"),
    "take-back": ({"promised", "disputed", "confirmed"}, "withdrawn"),
}


class Money(Maker):
    """Makes requests about chips, counts, closings, charges and payments."""

    def buy_in(self, _: Model) -> Asked:
        chips = self.chance.randrange(1, 4) * BUY_IN
        return self._exchange("buy in", "buy-ins", chips, 1)

    def cash_out(self, _: Model) -> Asked:
        return self._exchange("cash out", "cash-outs", self.chance.randrange(1, 50), -1)

    def _exchange(self, kind: str, place: str, chips: int, sign: int) -> Asked:
        night, name, key = self.night(), self.name(), self.id()
        self.exchanges[key] = (night, place, name, sign * chips)

        def exchanged(model: Model, _: Seen) -> None:
            model.nights[night].bought[name] += sign * chips
            model.rows.add(key)

        return Asked(
            kind=kind,
            path=f"/api/v1/nights/{night}/{place}",
            body={"id": key, "player": self.league.players[name], "chips": chips},
            key=key,
            effect=exchanged,
            is_allowed=at_open(night) if sign > 0 else never_closed(night),
        )

    def undo_exchange(self, _: Model) -> Asked | None:
        """Undo a mistaken buy-in or cash-out."""
        done = self.one_of(self.exchanges)
        if done is None:
            return None
        night, place, name, chips = self.exchanges[done]

        def undone(model: Model, _: Seen) -> None:
            if done not in model.undone:
                model.undone.add(done)
                model.nights[night].bought[name] -= chips

        return Asked(
            kind=f"undo of {place}",
            path=f"/api/v1/nights/{night}/{place}/{done}/undo",
            body={},
            key=self.id(),
            effect=undone,
            is_allowed=lambda model: night in model.open_nights() and done in model.rows,
            header=True,
        )

    def count(self, model: Model) -> Asked:
        """Say how many chips somebody has: mostly as many as there should be."""
        night, name, key = self.night(), self.name(), self.id()
        known = model.nights[night].stacks()[name] if night in model.nights else 0
        chips = max(0, known + self.chance.choice((0, 0, 0, 0, -5, 10)))

        def counted(model: Model, seen: Seen) -> None:
            model.nights[night].counts[name] = (chips, seen.now)
            model.rows.add(key)

        return Asked(
            kind="count",
            path=f"/api/v1/nights/{night}/counts",
            body={"id": key, "player": self.league.players[name], "chips": chips},
            key=key,
            effect=counted,
            is_allowed=at_open(night),
        )

    def close(self, _: Model) -> Asked:
        night, key = self.night(), self.id()
        header = self.chance.random() < 0.5

        def closed(model: Model, _: Seen) -> None:
            if not model.nights[night].closed:
                model.nights[night].close()

        def is_allowed(model: Model) -> bool | None:
            if night not in model.nights:
                return False
            return None if night in _played_for(model, self.tournaments) else True

        return Asked(
            kind="close",
            path=f"/api/v1/nights/{night}/closing",
            body={"id": key, "by_hands": True, "bears": [self.league.players[BEARER]]},
            key=key,
            effect=closed,
            is_allowed=is_allowed,
            header=header,
            # A night that is closed already is said to be; the id of that closing is another one.
            is_used_up=lambda model: header or not model.nights[night].closed,
        )

    def reopen(self, _: Model) -> Asked:
        night = self.night()

        def opened(model: Model, _: Seen) -> None:
            model.nights[night].reopen()

        return Asked(
            kind="open again",
            path=f"/api/v1/nights/{night}/reopen",
            body={},
            key=self.id(),
            effect=opened,
            is_allowed=lambda model: night in model.nights,
            header=True,
        )

    def charge(self, _: Model) -> Asked:
        night, key, chips = self.night(), self.id(), self.chance.randrange(1, 60)
        gets, owes = self.chance.sample(NAMES, 2)
        self.charges[key] = (night, gets, owes, chips)

        def charged(model: Model, seen: Seen) -> None:
            model.tabs.update({gets: chips, owes: -chips})
            model.rows.add(key)
            model.nights[night].settle_anew(seen.open_nights, night)

        shares = [
            {"player": self.league.players[gets], "gets": chips},
            {"player": self.league.players[owes], "owes": chips},
        ]
        return Asked(
            kind="charge",
            path=f"/api/v1/nights/{night}/charges",
            body={"id": key, "title": "pizza", "shares": shares},
            key=key,
            effect=charged,
            is_allowed=lambda model: night in model.nights,
        )

    def undo_charge(self, _: Model) -> Asked | None:
        done = self.one_of(self.charges)
        if done is None:
            return None
        night, gets, owes, chips = self.charges[done]

        def undone(model: Model, seen: Seen) -> None:
            if done not in model.undone:
                model.undone.add(done)
                model.tabs.update({gets: -chips, owes: chips})
                model.nights[night].settle_anew(seen.open_nights, night)

        return Asked(
            kind="undo of a charge",
            path=f"/api/v1/nights/{night}/charges/{done}/undo",
            body={},
            key=self.id(),
            effect=undone,
            is_allowed=lambda model: night in model.nights and done in model.rows,
            header=True,
        )

    def pay(self, plan: dict[str, Any]) -> Asked | None:
        """Say that some of a planned payment is on its way, or has come."""
        called = {player: name for name, player in self.league.players.items()}
        unpaid = [each for each in plan["planned"] if each["open"] > 0]
        if not unpaid:
            return None
        planned, key = self.chance.choice(unpaid), self.id()
        chips, received = self.chance.randint(1, planned["open"]), self.chance.random() < 0.5
        state = "confirmed" if received else "promised"

        def paid(model: Model, _: Seen) -> None:
            names = called[planned["payer"]], called[planned["payee"]]
            model.payments[key] = Payment(*names, chips, state)
            model.rows.add(key)

        return Asked(
            kind="pay",
            path=f"/api/v1/plans/{plan['id']}/payments",
            body={
                "id": key,
                "position": planned["position"],
                "chips": chips,
                "received": received,
            },
            key=key,
            effect=paid,
        )

    def settle_payment(self, model: Model) -> Asked | None:
        """Confirm a payment, dispute it or take it back."""
        payment, step = self.one_of(model.payments), self.one_of(STEPS)
        if payment is None:
            return None
        before, after = STEPS[step]

        def settled(model: Model, _: Seen) -> None:
            found = model.payments[payment]
            model.payments[payment] = replace(found, state=after)

        def is_allowed(model: Model) -> bool | None:
            if payment not in model.payments:
                return False
            state = model.payments[payment].state
            # Others may have paid in the meantime: then there is too much to confirm.
            return None if step == "confirm" and state in before else state in {*before, after}

        return Asked(
            kind=step,
            path=f"/api/v1/payments/{payment}/{step}",
            body={},
            key=self.id(),
            effect=settled,
            is_allowed=is_allowed,
            header=True,
        )


def _played_for(model: Model, tournaments: dict[str, str]) -> set[str]:
    """Return the nights of which a tournament may still be running."""
    return {night for key, night in tournaments.items() if key in model.rows}
