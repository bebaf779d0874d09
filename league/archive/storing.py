"""Store what the file of a season says, when all of it has been found right.

Every row gets an id that was made for it, and names rows that were stored here before it: that is
looked at once more for each foreign key of each row, whatever was checked before.
"""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from django.utils import timezone

from league.archive.books import Made
from league.archive.closings import FOLLOWS
from league.archive.reading import Row
from league.archive.row_writer import AT_ONCE, Values, Writing, store_rows
from league.closing import closing_hash
from league.games.documents import hash_of, keep_document
from league.hands.detail_level import detail_level_of
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    Count,
    GameDocument,
    Hand,
    Line,
    Night,
    Payment,
    PaymentStep,
    Plan,
    PlannedPayment,
    Player,
    Revision,
    Season,
    Seat,
    StaleMark,
)
from league.proofs.signing import sign_unsigned
from ledger.models import Posting
from ledger.posting import NewPosting, post_many, reverse


def write_season(writing: Writing) -> Season:
    """Store all rows of the file, in an order in which each names what is there; return the
    season."""
    content = writing.content
    last = {row["hand"]: row for row in sorted(content.of("Revision"), key=itemgetter("number"))}
    league = {"league_id": writing.league.pk}
    [season] = store_rows(writing, Season, content.of("Season"), lambda _: league)
    store_rows(writing, Player, content.of("Player"), lambda _: league)
    store_rows(writing, Night, content.of("Night"), lambda row: _night(writing, season, row))
    store_rows(writing, Seat, content.of("Seat"))
    _post(writing)
    store_rows(writing, Hand, content.of("Hand"), lambda row: _hand(last, row))
    _store_revisions(writing, last)
    store_rows(writing, BuyIn, content.of("BuyIn"), lambda row: _posting(writing, "buy-in", row))
    store_rows(
        writing, CashOut, content.of("CashOut"), lambda row: _posting(writing, "cash-out", row)
    )
    store_rows(writing, Charge, content.of("Charge"), lambda row: _posting(writing, "charge", row))
    store_rows(writing, ChargeShare, content.of("ChargeShare"))
    store_rows(writing, Count, content.of("Count"))
    _store_plans_after(writing, season, None)
    _seal(writing, season)
    sign_unsigned(writing.league, imported_at=timezone.now())
    store_rows(
        writing, Payment, content.of("Payment"), lambda row: _posting(writing, "payment", row)
    )
    store_rows(writing, PaymentStep, content.of("PaymentStep"))
    _mark(writing)
    return season


# --- nights and hands ---------------------------------------------------------------------------


def _night(writing: Writing, season: Season, row: Row) -> Values:
    """Return whether the night is closed, and the pots that it opened with."""
    closing = writing.done.closed.get(row.number)
    return {
        "season_id": season.pk,
        "state": Night.State.CLOSED if closing else Night.State.OPEN,
        "ended_at": writing.content.row("Closing", closing)["made_at"] if closing else None,
        "opening_pots": [
            _pot(writing, pot) | {"from": str(_left_by(writing, pot))}
            for pot in row["opening_pots"]
        ],
    }


def _pot(writing: Writing, pot: Values) -> Values:
    players = [str(writing.ids["Player"][number]) for number in pot["for"]]
    return {"amount": pot["amount"], "for": players}


def _left_by(writing: Writing, pot: Values) -> UUID:
    return writing.ids["Night"][pot["from"]] if pot["from"] else writing.done.before


def _hand(last: Mapping[int, Row], row: Row) -> Values:
    return {"voided": last[row.number]["voids"]}


def _store_revisions(writing: Writing, last: Mapping[int, Row]) -> None:
    """Store the revisions of each hand, first ones first: one that voids says what the one before
    it says."""
    said: dict[int, Values] = {}
    kept: dict[str, GameDocument] = {}
    also = {}
    for row in sorted(writing.content.of("Revision"), key=lambda row: row["number"]):
        hand = row["hand"]
        if row["voids"]:
            posting = writing.postings["hand taken back", said[hand]["number"]]
        else:
            said[hand] = _revision(writing, kept, row) | {"number": row.number}
            posting = writing.postings["hand", row.number]
        current = last[hand].number == row.number
        mine = said[hand] | {"number": row["number"]}
        also[row.number] = mine | {"current": current, "posting_id": posting.pk}
    store_rows(writing, Revision, writing.content.of("Revision"), lambda row: also[row.number])


def _revision(writing: Writing, kept: dict[str, GameDocument], row: Row) -> Values:
    """Return what the rules say of a hand, never what the file does."""
    content = writing.settled[row.number]
    key = hash_of(content.variant)
    if key not in kept:
        kept[key] = keep_document(content.variant)
        writing.keys.setdefault(GameDocument, set()).add(key)
    found = [*content.answer["findings"], *writing.done.findings[row.number]]
    return {
        "depth": detail_level_of(content.record),
        "record": content.record,
        "answer": content.answer | {"findings": found},
        "document_id": key,
        "names": {name: str(player) for name, player in content.names.items()},
        "carried": content.chips.carried,
        "carry": content.answer["carry"],
    }


def _mark(writing: Writing) -> None:
    """Leave word that the hands are to be counted."""
    marks = (
        StaleMark(league=writing.league, hand_id=each.hand_id, revision_id=each.pk)
        for each in writing.rows["Revision"].values()
        if each.current
    )
    StaleMark.objects.bulk_create(marks, batch_size=AT_ONCE)


# --- the books ----------------------------------------------------------------------------------


def _post(writing: Writing) -> None:
    """Post what was done, in its order: many at once between two reversals."""
    made: list[Posting] = []
    for undoes, some in groupby(writing.done.made, key=lambda each: each.undoes is not None):
        if undoes:
            made += [_reverse(made, each) for each in some]
        else:
            new = [NewPosting(key=each.key, moves=each.moves, memo=each.memo) for each in some]
            made += post_many(writing.league.book, new)
    for each, posting in zip(writing.done.made, made, strict=True):
        writing.postings[each.kind, each.of] = posting
    writing.keys[Posting] = {posting.pk for posting in made}


def _reverse(made: list[Posting], wanted: Made) -> Posting:
    return reverse(made[wanted.undoes or 0], wanted.key, memo=wanted.memo)


def _posting(writing: Writing, kind: str, row: Row) -> Values:
    found = writing.postings.get((kind, row.number))
    return {"posting_id": found and found.pk}


# --- closings and plans -------------------------------------------------------------------------


def _seal(writing: Writing, season: Season) -> None:
    """Store the closings in their order with what they cover, each sealed upon the one before."""
    lines = writing.content.grouped("Line", "closing")
    plans = writing.content.grouped("Plan", "closing")
    for each in writing.done.made:
        if each.kind != "closing":
            continue
        row = writing.content.row("Closing", each.of)
        [closing] = store_rows(writing, Closing, [row], lambda row: _closing(writing, row))
        store_rows(writing, Line, lines.get(row.number, []), lambda row: _line(writing, row))
        _store_plan(writing, season, plans.get(row.number, []))
        closing_hash.seal(closing)
        _store_plans_after(writing, season, row.number)


def _closing(writing: Writing, row: Row) -> Values:
    sequence, previous_hash = closing_hash.last_hash(writing.league)
    posting = writing.postings["closing", row.number]
    return {
        "league_id": writing.league.pk,
        "sequence": sequence + 1,
        "previous_hash": previous_hash,
        "posting_id": posting.pk,
        "kept": [_pot(writing, pot) for pot in row["kept"]],
    }


def _line(writing: Writing, row: Row) -> Values:
    found = writing.done.lines[row.number]
    return {name: getattr(found, name) for name in FOLLOWS}


def _store_plans_after(writing: Writing, season: Season, closing: int | None) -> None:
    """Store the plans of the season that were made after this closing, each sealed as it was."""
    for row in writing.plans_after.get(closing, []):
        [plan] = _store_plan(writing, season, [row])
        closing_hash.seal_plan(plan)


def _store_plan(writing: Writing, season: Season, rows: list[Row]) -> list[Plan]:
    """Store plans with what they plan."""
    stored = store_rows(writing, Plan, rows, lambda _: {"season_id": season.pk})
    for row in rows:
        planned = writing.planned.get(row.number, [])
        store_rows(writing, PlannedPayment, planned, lambda row: _stakes(writing, row))
    return stored


def _stakes(writing: Writing, row: Row) -> Values:
    lost, won = writing.done.stakes[row.number]
    return {"lost": lost, "won": won}
