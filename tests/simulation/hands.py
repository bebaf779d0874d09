"""Requests from phones at a table: nights, single hands, batches, corrections and imports."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.helpers.rules.log_cards import DECK, in_record, strength
from tests.simulation.beginning import NAMES
from tests.simulation.model import Chips, Hand, Model, Night, Objection
from tests.simulation.phone_request import Allowed, Maker, PhoneRequest, at_open
from tests.simulation.snapshot import Snapshot

MOST_PAID = 40
# Phones' clocks may be wrong, and some phones send a hand late.
LIES = (timedelta(), timedelta(minutes=-7), timedelta(hours=-30), timedelta(days=400))


class Hands(Maker):
    """Creates requests for nights and hands."""

    def open_night(self, _: Model) -> PhoneRequest:
        key = self.id()
        self.nights.append(key)

        def opened(model: Model, _: Snapshot) -> None:
            model.nights[key] = Night(datetime.now(UTC))

        return PhoneRequest(
            kind="open a night",
            path=f"/api/v1/leagues/{self.league.league}/nights",
            body={"id": key, "players": [self.league.players[name] for name in NAMES]},
            key=key,
            effect=opened,
            is_allowed=lambda _: True,
            by_host=False,
        )

    def record(self, _: Model) -> PhoneRequest:
        night, key = self.night(), self.id()
        self.hands.append((night, key))
        record, net = self._record()

        def recorded(model: Model, snapshot: Snapshot) -> None:
            model.nights[night].hands[key] = Hand(net, snapshot.now)

        return PhoneRequest(
            kind="record",
            path=f"/api/v1/nights/{night}/hands",
            body={"id": key, "record": record},
            key=key,
            effect=recorded,
            is_allowed=at_open(night),
            by_host=False,
        )

    def record_several(self, _: Model) -> PhoneRequest:
        night = self.night()
        confirmed = [(self.id(), *self._record()) for _ in range(self.chance.randrange(1, 5))]
        self.hands += [(night, key) for key, *_ in confirmed]

        stated = datetime.now(UTC) + self.chance.choice(LIES)

        def recorded(model: Model, snapshot: Snapshot) -> None:
            # The time reported by the phone, limited to the possible range.
            dealt = min(max(stated, model.nights[night].started), snapshot.now)
            model.nights[night].hands |= {key: Hand(net, dealt) for key, _, net in confirmed}

        return PhoneRequest(
            kind="record several",
            path=f"/api/v1/nights/{night}/hands/batch",
            body={
                "hands": [
                    {"id": key, "record": record, "played_at": stated.isoformat()}
                    for key, record, _ in confirmed
                ]
            },
            key=confirmed[0][0],
            effect=recorded,
            is_allowed=at_open(night),
            by_host=False,
        )

    def revise(self, _: Model) -> PhoneRequest | None:
        if not self.hands:
            return None
        (night, hand), key = self.chance.choice(self.hands), self.id()
        record, net = self._record()

        def revised(model: Model, snapshot: Snapshot) -> None:
            hands = model.nights[night].hands
            hands[hand] = hands[hand].revised(net)
            model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind="correct",
            path=f"/api/v1/hands/{hand}/revisions",
            body={"id": key, "record": record, "reason": "the pot was miscounted"},
            key=key,
            effect=revised,
            is_allowed=_is_known(night, hand),
        )

    def void(self, _: Model) -> PhoneRequest | None:
        return self._taken_back("take back", "void", _is_known)

    def undo(self, _: Model) -> PhoneRequest | None:
        return self._taken_back("undo", "undo", _newest)

    def _taken_back(self, kind: str, place: str, allowed: Any) -> PhoneRequest | None:
        if not self.hands:
            return None
        night, hand = self.hands[-1] if place == "undo" else self.chance.choice(self.hands)

        def taken_back(model: Model, snapshot: Snapshot) -> None:
            hands = model.nights[night].hands
            if not hands[hand].voided:
                hands[hand] = hands[hand].taken_back()
                model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind=kind,
            path=f"/api/v1/hands/{hand}/{place}",
            body={},
            key=self.id(),
            effect=taken_back,
            is_allowed=allowed(night, hand),
            header=True,
        )

    def object_to(self, _: Model) -> PhoneRequest | None:
        """Object to a hand for a player who was dealt in or, sometimes, for another player."""
        if not self.hands:
            return None
        (night, hand), name, key = self.chance.choice(self.hands), self.name(), self.id()
        self.objections[key] = night, hand

        def objected(model: Model, _: Snapshot) -> None:
            revisions = model.nights[night].hands[hand].revisions
            model.objections[key] = Objection(hand, name, revisions)

        def is_allowed(model: Model) -> bool | None:
            if not _is_known(night, hand)(model):
                return False
            if any(each.is_open_by(hand, name) for each in model.objections.values()):
                return False
            return True if name in model.nights[night].hands[hand].net else None

        return PhoneRequest(
            kind="object",
            path=f"/api/v1/hands/{hand}/objections",
            body={"id": key, "player": self.league.players[name], "reason": "Wrong winner"},
            key=key,
            effect=objected,
            is_allowed=is_allowed,
        )

    def answer_objection(self, _: Model) -> PhoneRequest | None:
        objection = self.one_of(self.objections)
        if objection is None:
            return None
        night, hand = self.objections[objection]
        kind = self.chance.choice(("stands", "corrected"))

        def answered(model: Model, _: Snapshot) -> None:
            model.objections[objection] = replace(model.objections[objection], answer=kind)

        def is_allowed(model: Model) -> bool:
            found = model.objections.get(objection)
            if found is None or found.answer:
                return found is not None and found.answer == kind
            revisions = model.nights[night].hands[hand].revisions
            return kind == "stands" or revisions > found.revisions

        return PhoneRequest(
            kind="answer an objection",
            path=f"/api/v1/objections/{objection}/answer",
            body={"kind": kind},
            key=self.id(),
            effect=answered,
            is_allowed=is_allowed,
            header=True,
        )

    def bring_in(self, _: Model) -> PhoneRequest:
        """Import a file of hands, which creates a new night."""
        confirmed = [self._record() for _ in range(self.chance.randrange(1, 4))]
        key = self.id()
        text = "".join(f"{json.dumps(record)}\n" for record, _ in confirmed)

        def imported(model: Model, snapshot: Snapshot) -> None:
            new = [hand for hand in snapshot.hands if hand not in model.hands()]
            if len(new) != len(confirmed):
                return
            night = model.nights[snapshot.night_of[new[0]]] = Night(datetime.now(UTC))
            nets = (net for _, net in confirmed)
            night.hands = {hand: Hand(next(nets), night.started, is_old=True) for hand in new}
            night.bought = _top_up(confirmed)
            model.rows |= snapshot.rows - model.rows

        return PhoneRequest(
            kind="import",
            path=f"/api/v1/leagues/{self.league.league}/imports",
            body={"files": [{"name": f"{key}.jsonl", "text": text}]},
            key=key,
            effect=imported,
            is_allowed=lambda _: True,
        )

    def _record(self) -> tuple[dict[str, Any], Chips]:
        """Return a hand and its nets: mostly a result, sometimes cards that are run again."""
        return self._run_hand() if self.chance.random() < 0.2 else self._result()

    def _run_hand(self) -> tuple[dict[str, Any], Chips]:
        """Return an all-in that is run two to four times. The nets are computed here."""
        paid, deck = self.chance.randrange(1, MOST_PAID), self.chance.sample(DECK, len(DECK))
        held = {name: [deck.pop(), deck.pop()] for name in NAMES}
        before = [deck.pop() for _ in range(self.chance.choice((0, 3, 4)))]
        number = self.chance.randint(2, 4)
        runs = [[deck.pop() for _ in range(5 - len(before))] for _ in range(number)]
        net, pot = dict.fromkeys(NAMES, -paid), paid * len(NAMES)
        for at, cards in enumerate(runs):
            chips = pot // number + (at < pot % number)
            strengths = {name: strength(held[name], [*before, *cards]) for name in NAMES}
            best = [name for name in NAMES if strengths[name] == max(strengths.values())]
            for place, name in enumerate(best):  # from the dealer's left
                net[name] += chips // len(best) + (place < chips % len(best))
        players = [
            {"name": name, "paid": paid, "all_in": True, "down": in_record(held[name])}
            for name in NAMES
        ]
        record = {"variant": "texas-holdem", "button": 3, "players": players}
        record["runs"] = [{"board": [in_record(cards)]} for cards in runs]
        return record | ({"board": [in_record(before)]} if before else {}), net

    def _result(self) -> tuple[dict[str, Any], Chips]:
        """Return a result-only hand and its nets."""
        paid = {name: self.chance.randrange(MOST_PAID) for name in NAMES}
        took: Counter[str] = Counter()
        rest = sum(paid.values())
        share = self.chance.randint(0, rest)
        took[self.name()] += share
        took[self.name()] += rest - share
        record = {
            "variant": "texas-holdem",
            "depth": "result",
            "button": 3,
            "players": [{"name": name, "paid": paid[name]} for name in NAMES],
            "took": {name: took[name] for name in NAMES},
        }
        return record, {name: took[name] - paid[name] for name in NAMES}


def _top_up(hands: Iterable[tuple[dict[str, Any], Chips]]) -> Counter[str]:
    """Return the buy-ins that players need for these hands."""
    bought: Counter[str] = Counter()
    stand: Counter[str] = Counter()
    for record, net in hands:
        for player in record["players"]:
            name, paid = player["name"], player["paid"]
            more = max(0, paid - stand[name])
            bought[name] += more
            stand[name] += more + net[name]
    return bought


def _is_known(night: str, hand: str) -> Allowed:
    return lambda model: night in model.nights and hand in model.nights[night].hands


def _newest(night: str, hand: str) -> Allowed:
    """Return a rule for undoing: only an open night's last hand, and only for a limited time."""

    def is_newest(model: Model) -> bool | None:
        response = model.nights.get(night)
        if response is None or hand not in response.hands:
            return False
        return False if response.closed and not response.hands[hand].voided else None

    return is_newest
