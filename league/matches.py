"""Matches, which are games that last several deals: the deals and the state computed from them.

See docs/record.md.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from league.models import Night, Revision, Seat
from league.nights.nights import last_dealt
from rules.errors import GameError
from rules.presentation.form import game_of

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Counts = Mapping[str, int]
# The answer's key for each kind of change, and the sign of the change.
KINDS = {"legs": ("earned", 1), "lives": ("lost", -1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDeal:
    """A hand as a deal of a match.

    `valid` is false for a voided hand. A voided deal changes nothing, except that the first deal of
    a match still defines its initial state.
    """

    hand_id: UUID
    number: int
    valid: bool
    record: Record
    answer: Answer

    @property
    def match_id(self) -> str | None:
        return match_id(self.hand_id, self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """The state of a match before the next deal.

    `deal` is the number of the next deal. `legs` and `lives` map player names to numbers. `pots`
    are the pots that carry over.
    """

    deal: int
    legs: Counts = field(default_factory=dict)
    lives: Counts = field(default_factory=dict)
    pots: tuple[Record, ...] = ()
    over: bool = False

    @property
    def chips(self) -> int:
        return sum(pot["amount"] for pot in self.pots)

    def counts(self, kind: str) -> Counts:
        return self.legs if kind == "legs" else self.lives


def match_id(hand_id: UUID, answer: Answer) -> str | None:
    """Return the id of the hand's match, or None outside of matches.

    A match's id is the id of its first hand.
    """
    match = answer.get("match")
    return None if match is None else str(match["id"] or hand_id)


def most_counted(variant: Any, record: Record) -> dict[str, int]:
    """Return how many legs win the match and how many lives players have at the start.

    `variant` is the game's slug or document, and `record` has its variations and options. Return
    {} if the game is not valid.
    """
    options = record.get("options", {})
    try:
        rules = game_of(variant, record.get("modifiers", ()), options).match
    except GameError:
        return {}
    return {"legs": rules.legs, "lives": rules.lives} if rules else {}


def replay_deals(deals: Iterable[MatchDeal]) -> MatchState | None:
    """Return the state of the match after these deals in order, or None if there are no deals."""
    state = None
    for deal in deals:
        state = state_after(state, deal)
    return state


def state_after(state: MatchState | None, deal: MatchDeal) -> MatchState:
    """Return the state of the match after another deal.

    If `state` is None, the match starts with the state in the deal's record.
    """
    if state is None:
        carried = deal.record.get("carried") or []
        if not isinstance(carried, list):
            carried = [{"amount": carried}]
        state = MatchState(
            deal=deal.answer["match"]["deal"],
            legs=counts_before(deal.answer, "legs"),
            lives=counts_before(deal.answer, "lives"),
            pots=tuple(carried),
        )
    if not deal.valid:
        return state
    match = deal.answer["match"]
    return MatchState(
        deal=match["deal"] + 1,
        legs={**state.legs, **match.get("legs", {})},
        lives={**state.lives, **match.get("lives", {})},
        pots=tuple(deal.answer["carries"]),
        over=match["over"],
    )


def counts_before(answer: Answer, kind: str) -> dict[str, int]:
    """Return the legs or lives before a deal, computed from the legs or lives after the deal."""
    moved, by = KINDS[kind]
    match = answer["match"]
    names = match.get(moved, ())
    return {name: n - by * (name in names) for name, n in match.get(kind, {}).items()}


def carried_pots(state: MatchState, names: Iterable[str]) -> object:
    """Return the pots that carry over, in the format of `carried`, for these players."""
    here = list(names)
    pots = [(pot["amount"], [n for n in here if n in pot.get("for", here)]) for pot in state.pots]
    if all(may_win == here for _, may_win in pots):
        return state.chips
    return [{"amount": chips, "for": may_win} for chips, may_win in pots]


def with_match_state(state: MatchState, deal: MatchDeal, match: str) -> dict[str, Any]:
    """Return the deal's record with the match state before it.

    Players who are new to the match keep the legs or lives from the deal's own record.
    """
    names = [player["name"] for player in deal.record["players"]]
    taken: dict[str, Any] = {"id": match, "deal": state.deal}
    for kind in KINDS:
        if kind in deal.answer["match"]:
            own, left = counts_before(deal.answer, kind), state.counts(kind)
            taken[kind] = {name: left.get(name, own[name]) for name in names}
    record = {**deal.record, "match": taken, "carried": carried_pots(state, names)}
    return record if record["carried"] else {k: v for k, v in record.items() if k != "carried"}


def differences(state: MatchState, record: Record, answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield (recorded, expected) where the deal's record differs from the match state."""
    if (deal := answer["match"]["deal"]) != state.deal:
        yield f"deal {deal}", f"deal {state.deal}"
    for kind in KINDS:
        left = state.counts(kind)
        for name, count in counts_before(answer, kind).items():
            if count != left.get(name, count):
                yield _count_text(name, count, kind), _count_text(name, left[name], kind)
    carried = record.get("carried") or 0
    chips = sum(pot["amount"] for pot in carried) if isinstance(carried, list) else carried
    if chips != state.chips:
        yield f"{chips:,} carried", f"{state.chips:,} carried"


def _count_text(name: str, number: int, kind: str) -> str:
    one = {"legs": "leg", "lives": "life"}[kind]
    return f"{name} with {number} {one if number == 1 else kind}"


def as_match_deal(revision: Revision, *, valid: bool | None = None) -> MatchDeal:
    """Return the revision as a deal. By default, the deal is valid unless its hand is voided."""
    return MatchDeal(
        hand_id=revision.hand_id,
        number=revision.hand.number,
        valid=not revision.hand.voided if valid is None else valid,
        record=revision.record,
        answer=revision.answer,
    )


def match_deals(night: Night, matches: Collection[str]) -> QuerySet[Revision]:
    """Return the current revisions of these matches' hands, in order, even voided ones."""
    first_hands = []
    for match in matches:
        with suppress(ValueError):
            first_hands.append(UUID(match))
    of_them = Q(record__match__id__in=list(matches)) | Q(hand__in=first_hands)
    rows = Revision.objects.filter(of_them, hand__night=night, current=True)
    return rows.select_related("hand").order_by("hand__number")


def match_states(
    night: Night, matches: Collection[str], *, before: int | None = None
) -> dict[str, MatchState]:
    """Return these matches' current states, or their states before the hand number `before`.

    Matches without hands in the night are left out. Runs no query if `matches` is empty.
    """
    if not matches:
        return {}
    rows = [as_match_deal(row) for row in match_deals(night, matches)]
    by_match = {
        match: replay_deals(
            row for row in rows if row.match_id == match and (before is None or row.number < before)
        )
        for match in matches
    }
    return {match: state for match, state in by_match.items() if state}


@dataclass(frozen=True, slots=True)
class CarryingHand:
    """A hand's match, or None, and the chips that it took from earlier hands and left for others.

    A hand that ends its match is not part of an unfinished match.
    """

    match: str | None
    carried: int
    carry: int
    unfinished: bool

    @classmethod
    def of(cls, hand_id: UUID, answer: Answer, carried: int, carry: int) -> "CarryingHand":
        match = answer.get("match")
        unfinished = match is not None and not match["over"]
        return cls(match_id(hand_id, answer), carried, carry, unfinished)


def pots_after(pots: Counts, carry: int, hand: CarryingHand) -> dict[str, int]:
    """Return the pots of unfinished matches after the hand, keyed by match, latest last.

    `pots` and `carry` are these pots and all carried chips before the hand. The pot of a match
    belongs to its deals. A hand that takes more than the other carried chips takes all pots.
    """
    left = {match: chips for match, chips in pots.items() if match != hand.match}
    if hand.carried > carry - sum(left.values()):
        left = {}
    if hand.match and hand.unfinished and hand.carry:
        left[hand.match] = hand.carry
    return left


def match_pots(night: Night, hands: Iterable[CarryingHand]) -> dict[str, int]:
    """Return the pots of unfinished matches after the night's first hands, keyed by match."""
    return _match_pots_and_carry(night, hands)[0]


def _match_pots_and_carry(
    night: Night, hands: Iterable[CarryingHand]
) -> tuple[dict[str, int], int]:
    """Return the pots of unfinished matches and all carried chips after these hands."""
    pots: dict[str, int] = {}
    carry = sum(pot["amount"] for pot in night.opening_pots)
    for hand in hands:
        pots = pots_after(pots, carry, hand)
        carry = max(0, carry - hand.carried) + hand.carry
    return pots, carry


def pots_of_matches(night: Night, *, before: int | None = None) -> dict[str, int]:
    """Return the pots of the night's unfinished matches, optionally before the hand `before`."""
    rows = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    rows = rows.filter(Q(carried__gt=0) | Q(carry__gt=0) | Q(answer__match__isnull=False))
    if before is not None:
        rows = rows.filter(hand__number__lt=before)
    columns = ("hand", "answer__match", "carried", "carry")
    hands = (
        CarryingHand.of(hand, {"match": match} if match else {}, carried, carry)
        for hand, match, carried, carry in rows.order_by("hand__number").values_list(*columns)
    )
    return match_pots(night, hands)


def referenced_matches(records: Iterable[object]) -> set[str]:
    """Return the ids of the matches that these records reference."""
    references = (record.get("match") for record in records if isinstance(record, dict))
    return {match["id"] for match in references if isinstance(match, dict) and match.get("id")}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatus:
    """The state of a match after its last deal that was not voided.

    Players who sat out a deal keep their legs and lives. `next` contains the data for the next
    deal's record. It is empty when the match is over. `dealer` deals next if no other game is
    played before, or even then if `keeps_dealer` is true. `players` are the ids of the players in
    the last deal, which was dealt at `dealt_at`.
    """

    hand: UUID
    match: str
    variant: Any
    modifiers: list[str]
    deal: int
    state: MatchState
    dealer: str
    keeps_dealer: bool
    players: frozenset[str]
    dealt_at: datetime
    next: Mapping[str, Any]
    winners: list[str]

    @property
    def legs(self) -> Counts:
        return self.state.legs

    @property
    def lives(self) -> Counts:
        return self.state.lives

    @property
    def carried(self) -> int:
        return self.state.chips

    @property
    def over(self) -> bool:
        return not self.next

    @property
    def out(self) -> frozenset[str]:
        """The players without lives."""
        return frozenset(name for name, lives in self.lives.items() if not lives)

    def leaves_out(self, seat: Seat) -> bool:
        """Return whether the seated player was left out of the last deal."""
        return seat.joined_at <= self.dealt_at and str(seat.player_id) not in self.players

    def skips(self, seat: Seat) -> bool:
        """Return whether the seated player does not take part in the next deal."""
        return seat.player.name in self.out or self.leaves_out(seat)

    def next_deal_fields(self, names: Iterable[str]) -> dict[str, Any]:
        """Return `match` and `carried` for the record of the next deal with these players."""
        here, match = list(names), dict(self.next["match"])
        for kind in KINDS:
            if kind in match:
                counts = self.state.counts(kind)
                match[kind] = {name: counts[name] for name in here if name in counts}
        return {"match": match, "carried": carried_pots(self.state, here)}


def match_status(revisions: Iterable[Revision]) -> MatchStatus | None:
    """Return the match of the hand that was dealt last, even if the match is over.

    `revisions` are in order. Voided hands are ignored.
    """
    rows = list(revisions)
    last = last_dealt(rows)
    match = as_match_deal(last).match_id if last else None
    return _status(rows, match) if match else None


def match_of_hands(night: Night, revisions: Iterable[Revision]) -> MatchStatus | None:
    """Return the match that the night's next hand continues, or the match that was just won.

    `revisions` are the night's hands in order. Other games may be played during a match: its pot
    waits for its next deal.
    """
    rows = list(revisions)
    status = match_status(rows)
    if status and not status.over:
        return status
    valid_rows = (row for row in rows if not row.hand.voided)
    hands = (CarryingHand.of(row.hand_id, row.answer, row.carried, row.carry) for row in valid_rows)
    pots, carry = _match_pots_and_carry(night, hands)
    if not pots or carry > sum(pots.values()):  # a game that left a pot is played first
        return status
    return _status(rows, next(reversed(pots)))


def _status(rows: Iterable[Revision], match: str) -> MatchStatus | None:
    of_match = [row for row in rows if as_match_deal(row).match_id == match]
    last = next(row for row in reversed(of_match) if not row.hand.voided)
    deals = [as_match_deal(row) for row in of_match]
    state, result = replay_deals(deals), last.answer["match"]
    if state is None:
        return None
    following = dict(result.get("next", {}))
    if following:
        following["match"] = {"id": str(match)} | following["match"]
    button = following.get("button")
    return MatchStatus(
        hand=last.hand_id,
        match=str(match),
        variant=last.record["variant"],
        modifiers=list(last.record.get("modifiers", ())),
        deal=result["deal"],
        state=state,
        dealer="" if button is None else str(last.record["players"][button]["name"]),
        keeps_dealer=button == last.record["button"],
        players=frozenset(last.names.values()),
        dealt_at=last.hand.made_at,
        next=following,
        winners=result["winners"],
    )
