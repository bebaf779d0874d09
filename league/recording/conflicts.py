"""Detect whether another phone has already recorded a hand that a phone sends.

A phone sends the number that it expects for the hand, and the number of the last hand that it has
seen. Only hands that another phone recorded after that hand can be the same deal. The cards, the
game and the dealer determine which hand is the same deal, if any (`match_of`). An identical
record is merged. A different record is stored as a conflicting record, and the host chooses between
it and the hand. A showdown that confirms a result replaces the result. Records are never dropped,
and chips are never posted twice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.common import row_limits
from league.common.errors import NightClosedError, refuse
from league.games.documents import hash_of, store_document
from league.hands.validation import SENT_HANDS, Verdict, settle_record
from league.hands.writing import write_hands
from league.journal import entries
from league.models import ConflictingRecord, Hand, Night, Revision, User
from league.nights.nights import lock_and_bump
from league.recording.corrections import revise_hand
from league.recording.sent_hands import ClientContext
from league.webhooks import events
from rules.cards import CARDS, UNSEEN

# A player deals again only after everyone else has dealt, which takes longer than this.
NEAR = timedelta(minutes=12)
COMPARED_APART = ("players", "button", "took", "variant", "modifiers")
Record = Mapping[str, Any]
State = ConflictingRecord.State


class Match(IntEnum):
    NONE = 0  # two different deals
    POSSIBLE = 1  # may be the same deal
    DIFFERENT = 2  # the same deal, but recorded differently
    DETAILED = 3  # the same deal and money, but only one record has cards
    IDENTICAL = 4  # the same deal and money


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRecord:
    """A settled record, already stored or just sent, in the form that `match_of` compares.

    `names` maps names to player ids. `game` is the hash of the game's document. `made_at` is when
    the hand was dealt.
    """

    record: Record
    answer: Record
    names: Mapping[str, str]
    game: str
    made_at: datetime


STATE_OF = {Match.IDENTICAL: State.MERGED, Match.DETAILED: State.ACCEPTED}
# States in which a conflicting record still belongs to its hand.
ATTACHED = (State.MERGED, State.WAITING, State.DECLINED, State.ACCEPTED)


# --- records sent by phones -----------------------------------------------------------------------


def store_conflict(
    hand: Hand,
    verdict: Verdict,
    context: ClientContext,
    *,
    by: User | None,
    closed: bool,
    of: Hand | None = None,
) -> ConflictingRecord | None:
    """Store a second record of an existing hand, or return None if no hand matches.

    `of` is the hand if it has the same id as the record. An identical record is merged, and a
    different record waits for the host. If the record adds cards to a result, it is accepted and
    the caller corrects the hand, unless the sender may not correct it.
    """
    names = {name: str(player) for name, player in verdict.names.items()}
    sent = ComparedRecord(
        record=verdict.record,
        answer=verdict.answer,
        names=names,
        game=hash_of(verdict.variant),
        made_at=hand.made_at,
    )
    if of:
        match = match_of(sent, of_revision(of.revisions.get(current=True)))
    else:
        of, match = _most_likely(sent, context, hand.night)
    if of is None:
        return None
    state = STATE_OF.get(match, State.WAITING)
    if state == State.ACCEPTED and closed and not context.corrects:
        state = State.WAITING
    refuse(row_limits.CONFLICTS.exceeded(hand.night.conflicts))
    conflict = ConflictingRecord.objects.create(
        id=hand.pk,
        night=hand.night,
        hand=of,
        origin=context.origin,
        number=context.number,
        state=state,
        record=verdict.record,
        answer=verdict.answer,
        document=store_document(verdict.variant),
        names=names,
        made_by=by,
        made_at=hand.made_at,
    )
    if closed and state != State.ACCEPTED:  # in all other cases, the next closing seals the record
        _append_entry(hand.night, entries.Kind.TOLD, [conflict])
    return conflict


def of_revision(revision: Revision) -> ComparedRecord:
    """Return the revision's record in the form that `match_of` compares."""
    return _of_row(revision, revision.hand.made_at)


def of_conflict(conflict: ConflictingRecord) -> ComparedRecord:
    """Return the conflicting record in the form that `match_of` compares."""
    return _of_row(conflict, conflict.made_at)


def _of_row(row: Revision | ConflictingRecord, made_at: datetime) -> ComparedRecord:
    return ComparedRecord(
        record=row.record,
        answer=row.answer,
        names=row.names,
        game=row.document_id,
        made_at=made_at,
    )


def _most_likely(
    sent: ComparedRecord, context: ClientContext, night: Night
) -> tuple[Hand | None, Match]:
    """Return the hand that the sent record most likely describes, and how well it matches.

    Only hands that the phone had not seen and did not record itself are compared. Removed hands are
    left out, so recording a removed hand again creates a new hand. If several hands match equally
    well, the one with the expected number is returned. A possible match counts only if the number
    is the same. A record that is identical to an earlier revision counts as identical to the hand.
    """
    hands = Hand.objects.filter(night=night, number__gt=context.seen, voided=False)
    by_it = Q(origin=context.origin) | Q(pk__in=context.after)
    its_own = ConflictingRecord.objects.filter(by_it, night=night, state__in=ATTACHED)
    others = hands.exclude(by_it).exclude(pk__in=its_own.values("hand"))
    revisions = Revision.objects.filter(hand__in=others, voids=False).select_related("hand")
    matches: list[tuple[Match, bool, int, Hand]] = []
    for revision in revisions.order_by("hand__number", "number"):
        hand, matched = revision.hand, match_of(sent, of_revision(revision))
        numbered = hand.number == context.number
        counts = revision.current or matched == Match.IDENTICAL
        if counts and matched > (Match.NONE if numbered else Match.POSSIBLE):
            matches.append((matched, numbered, -hand.number, hand))
    best = max(matches, key=lambda match: match[:3], default=None)
    return (best[3], best[0]) if best else (None, Match.NONE)


# --- the host's decisions -------------------------------------------------------------------------


def waiting_conflicts(night: Night) -> QuerySet[ConflictingRecord]:
    """Return the conflicting records that the host has to decide on, oldest first."""
    rows = night.conflicts.filter(state=State.WAITING)
    return rows.select_related("hand", "document", "made_by").order_by("made_at")


@transaction.atomic
def keep_hand(hand: Hand, *, by: User | None) -> None:
    """Keep the hand unchanged. Its conflicting records are declined but stay visible."""
    lock_and_bump(hand.night)
    conflicts = _waiting_for(hand)
    for conflict in conflicts:
        _decide(conflict, State.DECLINED, by)
    _seal(hand, conflicts)


@transaction.atomic
def accept_conflict(conflict: ConflictingRecord, *, by: User | None) -> Revision | None:
    """Correct the hand to the conflicting record. Return None if it was already decided.

    Other identical records are merged, and the rest are declined. Raises the same errors as
    `revise_hand`.
    """
    lock_and_bump(conflict.night)
    if not (conflicts := _waiting_for(conflict.hand)) or conflict not in conflicts:
        return None
    taken = revise_hand(
        conflict.hand, conflict.pk, conflict.record, by=by, reason="recorded on another phone"
    )
    for other in conflicts:
        same = has_same_content(of_conflict(other), of_conflict(conflict))
        state = State.ACCEPTED if other == conflict else State.MERGED if same else State.DECLINED
        _decide(other, state, by)
    _seal(conflict.hand, conflicts)
    return taken.revision


@transaction.atomic
def separate_conflict(conflict: ConflictingRecord, *, by: User | None) -> Hand | None:
    """Record the conflicting record as a separate hand. Return None if it was already decided.

    The new hand gets the next number. Raises RefusedError or NightClosedError.
    """
    state = lock_and_bump(conflict.night)
    if conflict not in _waiting_for(conflict.hand):
        return None
    if state != Night.State.OPEN:
        raise NightClosedError
    verdict = settle_record(conflict.night, conflict.record)
    refuse(verdict.errors)
    _decide(conflict, State.SEPARATED, by)
    hand = Hand(
        id=conflict.pk, night=conflict.night, made_at=conflict.made_at, origin=conflict.origin
    )
    revisions = write_hands(conflict.night, [(hand, verdict)], by=conflict.made_by)
    events.publish_hands(revisions)
    SENT_HANDS.labels("recorded").inc()
    return hand


def _waiting_for(hand: Hand) -> list[ConflictingRecord]:
    return list(
        ConflictingRecord.objects.filter(hand=hand, state=State.WAITING).order_by("made_at", "pk")
    )


def _decide(conflict: ConflictingRecord, state: State, by: User | None) -> None:
    conflict.state, conflict.decided_by, conflict.decided_at = state, by, timezone.now()
    conflict.save(update_fields=["state", "decided_by", "decided_at"])


def _seal(hand: Hand, conflicts: list[ConflictingRecord]) -> None:
    """Seal the decision if the night is closed.

    Otherwise the night's closing will seal it.
    """
    night = Night.objects.select_related("season").get(pk=hand.night_id)
    if conflicts and night.state == Night.State.CLOSED:
        _append_entry(night, entries.Kind.PICKED, conflicts)


def _append_entry(night: Night, kind: entries.Kind, conflicts: list[ConflictingRecord]) -> None:
    rows = ConflictingRecord.objects.filter(pk__in=[conflict.pk for conflict in conflicts])
    entries.append(night.season.league_id, kind, rows)


# --- comparing two records ------------------------------------------------------------------------


def match_of(one: ComparedRecord, other: ComparedRecord) -> Match:
    """Return how likely it is that the records describe the same deal, and whether they agree.

    If both records contain cards, they are compared, because players do not get the same cards
    twice. Otherwise the game and the dealer are compared, if both hands were recorded within
    minutes.
    """
    agreed, near = agreement(one, other), abs(one.made_at - other.made_at) <= NEAR
    same_cards = agreed is not None and agreed >= 0.5
    if has_same_content(one, other) and (same_cards or (agreed is None and near)):
        return Match.IDENTICAL
    if agreed is not None:
        return Match.DIFFERENT if same_cards else Match.NONE
    game, dealer = one.game == other.game, _dealer(one) == _dealer(other)
    if not (game and dealer and near):
        return Match.POSSIBLE if game or dealer or _net(one) == _net(other) else Match.NONE
    # The records agree if the money is the same and only one of them has cards.
    if _is_result(one) == _is_result(other) or _outcome(one) != _outcome(other):
        return Match.DIFFERENT
    return Match.IDENTICAL if _is_result(one) else Match.DETAILED


def has_same_content(one: ComparedRecord, other: ComparedRecord) -> bool:
    """Check whether both records have the same content, ignoring order and letter case."""
    return (one.game, _money(one), _identity(one)) == (other.game, _money(other), _identity(other))


def agreement(one: ComparedRecord, other: ComparedRecord) -> float | None:
    """Return the proportion of cards that agree, from 0 to 1, or None if a record has no cards.

    Each zone is compared with the most similar zone of the other record, so cards that were entered
    for the wrong player still agree.
    """
    pairs = [
        (mine, theirs)
        for kind in ("down", "up", "board")
        for mine, theirs in _closest(list(_zones(one, kind)), list(_zones(other, kind)))
    ]
    compared = sum(min(len(mine), len(theirs)) for mine, theirs in pairs)
    agreed = sum(len(mine & theirs) for mine, theirs in pairs)
    return agreed / compared if compared else None


def _closest(
    mine: list[frozenset[int]], theirs: list[frozenset[int]]
) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Yield each zone of the shorter list with the most similar zone of the other list.

    Every zone is used at most once.
    """
    few, many = sorted((mine, list(theirs)), key=len)
    left = list(many)
    for zone in few:
        best = max(left, key=lambda other: len(other & zone))
        left.remove(best)
        yield zone, best


def _zones(hand: ComparedRecord, kind: str) -> Iterator[frozenset[int]]:
    record = hand.record
    rows = record.get("board") if kind == "board" else [p.get(kind) for p in record["players"]]
    for row in rows or ():
        if cards := frozenset(card for card in _cards(row) if card != UNSEEN):
            yield cards


def _cards(row: object) -> list[int]:
    return [CARDS[card] for card in row] if isinstance(row, list) else []


def _dealer(hand: ComparedRecord) -> str:
    players, button = hand.record["players"], hand.record["button"]
    return hand.names[players[button]["name"]]


def _is_result(hand: ComparedRecord) -> bool:
    return bool(hand.record.get("depth") == "result")


def _outcome(hand: ComparedRecord) -> tuple[Any, ...]:
    """Return each player's net and the carried chips.

    Payments are not compared, because a result does not record uncalled chips.
    """
    return _net(hand), hand.answer["carry"], hand.record.get("carried") or 0


def _net(hand: ComparedRecord) -> dict[str, int]:
    net: Mapping[str, int] = hand.answer["net"]
    return {hand.names[name]: chips for name, chips in net.items() if chips}


def _money(hand: ComparedRecord) -> tuple[Any, ...]:
    """Return the chips paid, returned and won, keyed by player, and the carry."""
    chips = {
        key: {hand.names[name]: number for name, number in hand.answer[key].items() if number}
        for key in ("paid", "returned", "won")
    }
    return chips, hand.answer["carry"]


def _identity(hand: ComparedRecord) -> dict[str, Any]:
    """Return the record's content except the game.

    Card order, spelling and empty values are removed.
    """
    record, names = hand.record, hand.names
    return {
        "dealer": _dealer(hand),
        "modifiers": list(record.get("modifiers") or ()),
        "players": {names[player["name"]]: _player(player) for player in record["players"]},
        "took": {names[name]: chips for name, chips in (record.get("took") or {}).items() if chips},
        "board": [Counter(_cards(row)) for row in record.get("board") or ()],
        **{
            key: value
            for key, value in record.items()
            if value and key not in (*COMPARED_APART, "board", "runs")
        },
        "runs": [
            {
                **run,
                "players": {
                    names[player["name"]]: _player(player) for player in run.get("players") or ()
                },
                "board": [Counter(_cards(row)) for row in run.get("board") or ()],
            }
            for run in record.get("runs") or ()
        ],
    }


def _player(player: Record) -> dict[str, Any]:
    identity = {key: value for key, value in player.items() if value and key != "name"}
    return {
        key: Counter(_cards(value)) if key in ("down", "up", "out") else value
        for key, value in identity.items()
    }
