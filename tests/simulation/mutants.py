"""Injected bugs that the simulator must detect.

Each mutant removes a piece of the service at run time. Evenings detect some mutants. Races between
two writers on PostgreSQL detect the others.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import transaction

from api.feeds import replica
from api.feeds.versions import VersionedFinder
from api.models import IdempotencyRecord
from league import options
from league.charges import charging, side_games
from league.closing import cash_outs, chip_requests, payments
from league.hands import writing
from league.jobs import leases
from league.models import PlannedNight, PlannedPayment, StaleMark
from league.nights import cash_box, nights
from league.planned_nights import answers, mistaken_nights
from league.recording import corrections, record
from league.sending import mail
from league.webhooks import delivery, events
from ledger.models import NewTransfer
from ledger.sql import insert, query_by_keys


@dataclass(frozen=True)
class Mutant:
    """Removed or changed code: names in modules and their replacements.

    `pair` is the race that must detect the mutant. Without a pair, evenings must detect it. Mutants
    with `of_replica` can be detected only by evenings on SQLite.
    """

    name: str
    changes: tuple[tuple[Any, str, Callable[..., Any]], ...]
    pair: str = ""
    of_replica: bool = False

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ExitStack() as stack:
            for module, name, instead in self.changes:
                stack.enter_context(patch.object(module, name, instead))
            yield


def _after_commit(do: Callable[..., Any]) -> Callable[..., None]:
    """Return a function that runs after the commit instead of inside the transaction."""
    return lambda *confirmed: transaction.on_commit(lambda: do(*confirmed))


def _marked_late(write: Callable[..., Any]) -> Callable[..., None]:
    """Return a function that writes rows but marks them only after the commit."""

    def written(rows: Any) -> None:
        if rows and isinstance(rows[0], StaleMark):
            transaction.on_commit(lambda: insert(rows))
        else:
            write(rows)

    return written


def _other_way(debit: Any, credit: Any, chips: int) -> NewTransfer:
    return NewTransfer(credit, debit, chips)


def _same_version(night_id: Any) -> Any:
    sql = "UPDATE league_night SET version = version WHERE id = %s RETURNING state"
    return query_by_keys(sql, night_id)[0][0]


def _unlocked_night(night_id: Any) -> Any:
    return query_by_keys("SELECT state FROM league_night WHERE id = %s", night_id)[0][0]


def _unlocked_payment(planned: Any) -> Any:
    rows = PlannedPayment.objects.select_related("plan__season__league__book", "plan__closing")
    return rows.get(pk=planned.pk)


def _unlocked_plan(planned: Any) -> Any:
    return PlannedNight.objects.select_related("league__book").get(pk=planned.pk)


def _late_place(answer: Any, says: str, guests: int, at: Any) -> None:
    answer.says, answer.since, answer.answered_at, answer.guests_since = says, at, at, []


def _leaving_again(night: Any, player: Any, *confirmed: Any, **terms: Any) -> Any:
    done = cash_outs.cash_out_and_leave(night, player, *confirmed, **terms)
    nights.leave(night, player)
    return done


def _random_digest(_: bytes) -> Any:
    return sha256(uuid4().bytes)


def _stamped(sent: Any) -> bytes:
    return _body_of(sent) + b" " * sent.tries


def _tag_of_source(finder: Any, visitor: Any, key: Any) -> Any:
    with replica.reading(replica=False):
        return _find(finder, visitor, key)


_body_of = delivery.body_of
_find = VersionedFinder.find
MUTANTS = (
    Mutant(
        "the key of a correction is not checked",
        ((corrections, "_revised_already", lambda *_: None),),
    ),
    Mutant(
        "the response to a key is not stored",
        ((IdempotencyRecord, "save", lambda *_, **__: None),),
    ),
    Mutant(
        "the mark for the stats is set outside the transaction",
        ((writing, "insert", _marked_late(insert)),),
    ),
    Mutant(
        "the event of a hand is published outside the transaction",
        ((events, "publish_hands", _after_commit(events.publish_hands)),),
    ),
    Mutant(
        "the chips of a corrected hand are not reversed",
        ((corrections, "_reverse", lambda last, _: last.posting),),
    ),
    Mutant("a cash-out has the wrong sign", ((cash_outs, "NewTransfer", _other_way),)),
    Mutant("an e-mail is retried under another id", ((mail, "sha256", _random_digest),)),
    Mutant("an event is retried with another body", ((delivery, "body_of", _stamped),)),
    Mutant(
        "a charge is made without a transaction",
        ((charging, "charge", charging.charge.__wrapped__),),  # type: ignore[attr-defined]
    ),
    Mutant(
        "a feed has the rows of the replica and the tag of the source",
        ((VersionedFinder, "find", _tag_of_source),),
        of_replica=True,
    ),
    Mutant("a carried pot is not corrected", ((corrections, "correct_carry", lambda *_: None),)),
    Mutant(
        "a repeated cash-out frees the seat again",
        ((chip_requests, "cash_out_and_leave", _leaving_again),),
    ),
    Mutant("players leave without notice", ((chip_requests, "early_leave", lambda *_: ()),)),
    Mutant("a night with charges is cancelled", ((mistaken_nights, "_happened", lambda _: ()),)),
    Mutant(
        "a receipt can be undone at any time",
        ((payments, "just_received_by", lambda _, payment: payment.state == "confirmed"),),
    ),
    Mutant("an undone receipt loses the promise", ((payments, "_promise_again", lambda _: None),)),
    Mutant("hands without cards have no winner", ((side_games, "rules_of", lambda *_: None),)),
    Mutant("a night's version stays", ((nights, "bump_night", _same_version),)),
    Mutant("a repeated yes loses its place", ((answers, "change", _late_place),)),
    Mutant(
        "a night is not locked",
        ((nights, "bump_night", _unlocked_night),),
        "a recorder and the close",
    ),
    Mutant(
        "a hand keeps a name that changes while it is recorded",
        ((record, "settled_again_if_renamed", lambda _, verdicts: verdicts),),
        "a renaming and a hand",
    ),
    Mutant(
        "a planned payment is not locked",
        ((payments, "_lock", _unlocked_payment),),
        "two confirmations",
    ),
    Mutant(
        "a planned night is not locked",
        ((answers, "lock", _unlocked_plan),),
        "two answers of one player",
    ),
    Mutant(
        "the book is not locked for the cash box",
        ((cash_box, "lock_book", lambda _: None),),
        "two cash-outs from the box at two nights",
    ),
    Mutant(
        "settings that were just changed are overwritten",
        ((options, "_locked", lambda league: league),),
        "two change other settings",
    ),
    Mutant(
        "a lease is not asked for",
        (
            (leases, "free", lambda rows: rows),
            (leases, "renew_lease", lambda _, lease: UUID(lease)),
        ),
        "two send letters",
    ),
)
