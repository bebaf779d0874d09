"""Requests from phones at a table: nights, single hands, batches, corrections and imports."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from tests.simulation.beginning import NAMES
from tests.simulation.deals import Deal, Deals
from tests.simulation.model import Exchange, Hand, Model, Night, Objection
from tests.simulation.phone_request import Allowed, Maker, PhoneRequest, at_open
from tests.simulation.snapshot import Snapshot

# Phones' clocks may be wrong, and some phones send a hand late.
LIES = (timedelta(), timedelta(minutes=-7), timedelta(hours=-30), timedelta(days=400))
AT_START = 400


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

    def start_night(self, _: Model) -> PhoneRequest:
        """Start a night on its page. All players buy in."""
        key = self.id()
        self.nights.append(key)
        bought = {str(uuid5(UUID(key), who)): name for name, who in self.league.players.items()}
        self.exchanges |= dict.fromkeys(bought, (key, "buy-ins"))

        def started(model: Model, snapshot: Snapshot) -> None:
            night = model.nights[key] = Night(datetime.now(UTC), at_start=tuple(bought))
            night.exchanges = {
                each: Exchange(name, AT_START, snapshot.now) for each, name in bought.items()
            }
            model.rows |= bought.keys()

        sits = {f"sits-{player}": "on" for player in self.league.players.values()}
        return PhoneRequest(
            kind="start a night",
            path=f"/leagues/{self.league.league}/nights/new",
            body={"key": key, "usual": AT_START, **sits},
            key=key,
            effect=started,
            is_allowed=lambda _: True,
            is_form=True,
        )

    def cancel_night(self, _: Model) -> PhoneRequest:
        """Cancel a night on its page, which shows a message if the night isn't a mistake."""
        night = self.night()

        def cancelled(model: Model, _: Snapshot) -> None:
            there = model.nights[night]
            if not there.closed and self._is_mistake(model, night):
                model.undone |= there.exchanges.keys()
                there.exchanges = {}
                there.close()
                there.cancelled = True

        return PhoneRequest(
            kind="cancel a night",
            path=f"/nights/{night}/cancel",
            body={},
            key=self.id(),
            effect=cancelled,
            is_allowed=lambda model: night in model.nights,
            is_used_up=lambda _: False,
            is_form=True,
        )

    def _is_mistake(self, model: Model, night: str) -> bool:
        """Return whether nothing happened in the night since its start."""
        there, done = model.nights[night], model.rows - model.undone
        charges = {key for key, (at, _) in self.charges.items() if at == night}
        held = {key for key, at in self.tournaments.items() if at == night}
        is_counted = any(chips is not None for chips, _ in there.counts.values())
        is_later = there.exchanges.keys() - set(there.at_start)
        held &= model.rows
        return not (there.played or is_later or is_counted or charges & done or held)

    def record(self, model: Model) -> PhoneRequest:
        night, key = self.night(), self.id()
        self.hands.append((night, key))
        deal = self._deal(model, night)

        def recorded(model: Model, snapshot: Snapshot) -> None:
            model.nights[night].hands[key] = Hand(deal, snapshot.now)

        return PhoneRequest(
            kind=f"record {deal.kind}",
            path=f"/api/v1/nights/{night}/hands",
            body={"id": key, "record": deal.record},
            key=key,
            effect=recorded,
            is_allowed=at_open(night),
            by_host=False,
        )

    def record_several(self, model: Model) -> PhoneRequest:
        night = self.night()
        number = self.chance.randrange(1, 5)
        dealt_hands = [(self.id(), self._deal(model, night)) for _ in range(number)]
        self.hands += [(night, key) for key, _ in dealt_hands]

        stated = datetime.now(UTC) + self.chance.choice(LIES)

        def recorded(model: Model, snapshot: Snapshot) -> None:
            # The time reported by the phone, limited to the possible range.
            dealt = min(max(stated, model.nights[night].started), snapshot.now)
            model.nights[night].hands |= {key: Hand(deal, dealt) for key, deal in dealt_hands}

        return PhoneRequest(
            kind="record several",
            path=f"/api/v1/nights/{night}/hands/batch",
            body={
                "hands": [
                    {"id": key, "record": deal.record, "played_at": stated.isoformat()}
                    for key, deal in dealt_hands
                ]
            },
            key=dealt_hands[0][0],
            effect=recorded,
            is_allowed=at_open(night),
            by_host=False,
        )

    def revise(self, model: Model) -> PhoneRequest | None:
        if not self.hands:
            return None
        (night, hand), key = self.chance.choice(self.hands), self.id()
        deal = self._deal(model, night)

        def revised(model: Model, snapshot: Snapshot) -> None:
            hands = model.nights[night].hands
            hands[hand] = hands[hand].revised(deal)
            model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind="correct",
            path=f"/api/v1/hands/{hand}/revisions",
            body={"id": key, "record": deal.record, "reason": "the pot was miscounted"},
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
            return True if name in model.nights[night].hands[hand].deal.net else None

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
            stored = model.objections.get(objection)
            if stored is None or stored.answer:
                return stored is not None and stored.answer == kind
            revisions = model.nights[night].hands[hand].revisions
            return kind == "stands" or revisions > stored.revisions

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
        dealt_hands = [self._deals().for_import() for _ in range(self.chance.randrange(1, 4))]
        key = self.id()
        text = "".join(f"{json.dumps(deal.record)}\n" for deal in dealt_hands)

        def imported(model: Model, snapshot: Snapshot) -> None:
            new = [hand for hand in snapshot.hands if hand not in model.hands()]
            if len(new) != len(dealt_hands):
                return
            night = model.nights[snapshot.night_of[new[0]]] = Night(datetime.now(UTC))
            night.hands = {
                hand: Hand(deal, night.started, is_old=True)
                for hand, deal in zip(new, dealt_hands, strict=True)
            }
            night.exchanges = {
                f"{key} {name}": Exchange(name, chips, night.started)
                for name, chips in _top_up(dealt_hands).items()
            }
            model.rows |= snapshot.rows - model.rows

        return PhoneRequest(
            kind="import",
            path=f"/api/v1/leagues/{self.league.league}/imports",
            body={"files": [{"name": f"{key}.jsonl", "text": text}]},
            key=key,
            effect=imported,
            is_allowed=lambda _: True,
        )

    def _deal(self, model: Model, night: str) -> Deal:
        """Return a hand, which usually starts with the chips that the night carries."""
        known = model.nights[night].carry() if night in model.nights else 0
        return self._deals().any(known if self.chance.random() < 0.8 else 0)

    def _deals(self) -> Deals:
        return Deals(self.chance, self.league.house_game)


def _top_up(hands: Iterable[Deal]) -> Counter[str]:
    """Return the buy-ins that players need for these hands."""
    bought: Counter[str] = Counter()
    stand: Counter[str] = Counter()
    for deal in hands:
        for player in deal.record["players"]:
            name, paid = player["name"], player["paid"]
            more = max(0, paid - stand[name])
            bought[name] += more
            stand[name] += more + deal.net[name]
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
