"""The only writer of hands: what the rules made of records is stored and posted, all or nothing.

To write one hand is to write many of one. The caller has locked the night, and tells whoever wants
to know; here a hand gets its number, its findings, its chips, and leaves the stats stale.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from league.common import bounds
from league.common.errors import refuse
from league.games.documents import keep_document, keep_documents
from league.hands.chip_movements import Moved, moved
from league.hands.detail_level import detail_level_of
from league.hands.findings import Before, ask_before, examined
from league.hands.transfers import moves_of_hand
from league.hands.validation import Verdict
from league.matches.standing import as_dealt, named, states
from league.matches.states import after
from league.models import Hand, Night, Revision, StaleMark, User
from league.nights import accounts
from league.nights.nights import actor_of
from ledger.asked import ask, pipelined
from ledger.inserts import insert, send
from ledger.posting import NewPosting, post_in_transaction
from ledger.rows import new_row
from ledger.sql import batched
from ledger.standing import Standing

AT_ONCE = 200  # hands of one statement
Settled = tuple[Hand, Verdict]


class Found:
    """What stands before new hands are written, asked with the night's lock or after it.

    Asked inside `pipelined`, it goes with the lock, and sees what its last holder wrote.
    """

    def __init__(self, night: Night, settled: Sequence[Settled]) -> None:
        names: dict[str, UUID] = {}
        for _, verdict in settled:
            names |= verdict.names
        self.hands = [hand.pk for hand, _ in settled]
        self.standing = _standing(night, settled, names) if len(settled) <= AT_ONCE else None
        self.last, self.before = ask_last_number(night), ask_before(night, names)
        self.documents = keep_documents([verdict.variant for _, verdict in settled])


def write_hands(
    night: Night, settled: Sequence[Settled], *, by: User | None, found: Found | None = None
) -> list[Revision]:
    """Write new hands after those of the night, in the order in which they were dealt.

    The verdicts have no errors, and no hand of these ids is there; `found` is what the caller has
    asked of them. A few statements for all.
    """
    if found is None or found.hands != [hand.pk for hand, _ in settled]:
        with pipelined():
            found = Found(night, settled)
    number, before = found.last(), found.before()
    refuse(bounds.HANDS.exceeded(number, adding=len(settled)))
    before = replace(before, matches=states(night, named(each.record for _, each in settled)))
    revisions, postings = [], []
    for (hand, verdict), document in zip(settled, found.documents(), strict=True):
        number += 1
        hand.number = number
        told = {"id": hand.pk, "hand": hand, "number": 1, "document": document}
        revision = new_row(Revision, **told, **({"made_by": by} if by else {}))
        chips = moved(verdict.record, verdict.answer)
        postings.append(_filled(revision, verdict, chips, before))
        revisions.append(revision)
        before = _after(before, chips, revision)
    _store(night, revisions, postings, found.standing)
    return revisions


def _standing(night: Night, settled: Sequence[Settled], names: Mapping[str, UUID]) -> Standing:
    """Ask the book for all that these hands can touch."""
    keys = [_key(hand.pk) for hand, _ in settled]
    refs = [accounts.carry(night.pk), accounts.drift(night.pk)]
    refs += [accounts.pot(hand.pk) for hand, _ in settled]
    for player in names.values():
        refs += [accounts.stack(night.pk, player), accounts.tab(player)]
    return Standing(night.league.book_id, keys, [ref.key for ref in refs])


def write_correction(revision: Revision, last: Revision, verdict: Verdict, before: Before) -> None:
    """Write what the verdict says of a hand in place of the last revision, taken back before."""
    revision.document = keep_document(verdict.variant)
    chips = moved(verdict.record, verdict.answer)
    posting = _filled(revision, verdict, chips, before)
    [revision.posting] = post_in_transaction(revision.hand.night.league.book, [posting])
    replace_revision(last, revision)


def replace_revision(last: Revision, revision: Revision) -> None:
    """Save the revision as the one that counts, and the hand as it says."""
    refuse(bounds.REVISIONS.exceeded(last.number))
    Revision.objects.filter(pk=last.pk).update(current=False)
    revision.save(force_insert=True)
    revision.hand.voided = revision.voids
    revision.hand.save(update_fields=["voided"])
    insert(_stale(revision))


def ask_last_number(night: Night) -> Callable[[], int]:
    """Ask for the last hand's number; the night's lock keeps the numbers without a gap."""
    asked = ask("SELECT max(number) FROM league_hand WHERE night_id = %s", night.pk)
    return lambda: asked.rows()[0][0] or 0


def _key(revision_id: UUID) -> str:
    return f"hand:{revision_id}"


def _filled(revision: Revision, verdict: Verdict, chips: Moved, before: Before) -> NewPosting:
    """Give the revision what the record says; return the posting of its chips."""
    revision.record = verdict.record
    revision.answer = examined(verdict, before, chips).answer
    revision.depth = detail_level_of(verdict.record)
    revision.names = {name: str(player) for name, player in verdict.names.items()}
    revision.carried, revision.carry = chips.carried, verdict.answer["carry"]
    short = max(0, chips.carried - before.carry)
    return NewPosting(
        key=_key(revision.pk),
        moves=tuple(moves_of_hand(revision.hand, chips, verdict.names, short=short)),
        memo=f"hand {revision.hand.number}, revision {revision.number}",
        actor=actor_of(revision.made_by),
    )


def _after(before: Before, chips: Moved, revision: Revision) -> Before:
    """Return what stands when the hand is over."""
    stacks = dict(before.stacks)
    for name, paid in chips.paid.items():
        stacks[name] += chips.back[name] - paid
    carry = max(0, before.carry - chips.carried) + chips.carry
    matches, deal = dict(before.matches), as_dealt(revision)
    if match := deal.match_id:
        matches[match] = after(matches.get(match), deal)
    return Before(stacks=stacks, carry=carry, matches=matches)


def _store(
    night: Night,
    revisions: Sequence[Revision],
    postings: Sequence[NewPosting],
    standing: Standing | None,
) -> None:
    with pipelined():
        posted = post_in_transaction(night.league.book, postings, standing)
        for revision, posting in zip(revisions, posted, strict=True):
            revision.posting = posting
        for some in batched(revisions, AT_ONCE):
            send(*(revision.hand for revision in some))
            send(*some)
            send(*map(_stale, some))


def _stale(revision: Revision) -> StaleMark:
    """Return the word that the stats of this hand are out of date."""
    league = revision.hand.night.season.league_id
    keys = {"hand_id": revision.hand_id, "revision_id": revision.pk}
    return new_row(StaleMark, league_id=league, **keys)
