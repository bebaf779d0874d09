"""Settle submitted records by the rules. The result is an answer or the record's errors.

A phone that was recording or offline while a host renamed a player sends the former name. The
stored record contains the current name (docs/decisions/0101-former-names.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol
from uuid import UUID

import prometheus_client
from django.utils.translation import gettext as _

from league.common.errors import Problem, problem
from league.common.text import Words, in_json, in_words, is_storable, shown, too_deep, unstorable
from league.games import rules_process
from league.games.lookup import playable, playables
from league.hands.chip_movements import ChipTotals, chip_totals, unaccounted
from league.models import FormerName, Hand, League, Night, Player
from ledger.sql import as_uuid, query_by_keys
from rules import settle_many
from rules.api import MOST_PLAYERS, rename_players

# Exported by `config.observability.monitoring`.
SETTLING = prometheus_client.Histogram(
    "dealers_choice_settle_seconds",
    "Time to settle one record.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1),
)
SENT_HANDS = prometheus_client.Counter(
    "dealers_choice_hands",
    "Hands that were sent, by outcome.",
    ["outcome"],
)

_SEATED = """
    SELECT p.name, p.id FROM league_seat s JOIN league_player p ON p.id = s.player_id
    WHERE s.night_id = %s"""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer to a record, or its errors.

    `names` maps names to player ids. `variant` is the game that the record was settled under,
    either a catalog slug or a document. If there are errors, `record` and `answer` are empty,
    except if the only error is a wrong `took`. The recording page shows that error next to the
    answer.
    """

    record: dict[str, Any] = field(default_factory=dict)
    variant: str | dict[str, Any] = ""
    answer: dict[str, Any] = field(default_factory=dict)
    names: dict[str, UUID] = field(default_factory=dict)
    errors: list[Problem] = field(default_factory=list)

    @cached_property
    def chips(self) -> ChipTotals:
        """The chips that the hand moves. Available only if there is an answer."""
        return chip_totals(self.record, self.answer)


def answer_to(record: object, *, brief: bool = False) -> dict[str, Any]:
    """Return the answer to any JSON value, as described in docs/record.md, or {"errors": [...]}."""
    return answers_to([record], brief=brief)[0]


def answers_to(
    records: Sequence[object],
    *,
    brief: bool = False,
    sent: Sequence[object] | None = None,
) -> list[dict[str, Any]]:
    """Return the answer to each record. Records of the same game are settled together.

    A record that contains the document of its game is settled in a separate process that can be
    killed, because such a game has not been checked. `sent` contains the records as they were
    submitted, if `records` contains documents in place of the names of house games. Raises
    BusyError if no process is free.
    """
    sent = records if sent is None else sent
    places: dict[_Settles, list[int]] = {settle_many: [], _settle_in_process: []}
    answers: list[dict[str, Any]] = [{}] * len(records)
    storable = [is_storable(record) for record in records]
    for place, (record, original) in enumerate(zip(records, sent, strict=True)):
        if not isinstance(record, dict):
            wrong = problem("", "wrong-type", "a record must be an object")
            answers[place] = {"errors": [wrong]}
        elif not storable[place] and too_deep(record):
            answers[place] = {"errors": list(unstorable(record))}
        else:
            has_own_game = isinstance(original, dict) and isinstance(original.get("variant"), dict)
            places[_settle_in_process if has_own_game else settle_many].append(place)
    for settle, chosen in places.items():
        started = perf_counter()
        settled = settle([records[place] for place in chosen], brief=brief)
        taken = perf_counter() - started
        for place, answer in zip(chosen, settled, strict=True):
            SETTLING.observe(taken / len(chosen))
            errors: list[Problem] = [
                {key: shown(text) for key, text in error.items()}
                for error in answer.get("errors", ())
            ]
            if not storable[place]:
                known = {error["where"] for error in errors}
                more = unstorable(records[place])
                errors += [error for error in more if error["where"] not in known]
            answers[place] = {"errors": errors} if errors else answer
    return answers


class _Settles(Protocol):
    def __call__(self, records: Sequence[object], *, brief: bool) -> list[dict[str, Any]]: ...


def _settle_in_process(records: Sequence[object], *, brief: bool) -> list[dict[str, Any]]:
    """Return the answers to records that contain their games. A separate process settles them."""
    if not records:
        return []
    try:
        return rules_process.settle_many(records, brief=brief)
    except rules_process.TooMuchWorkError as error:
        return [{"errors": [problem("variant", "bad-game", str(error))]} for _ in records]


def settle_record(
    night: Night, record: object, *, instead_of: Hand | None = None, took_may_differ: bool = False
) -> Verdict:
    """Return the verdict on a record from this night. Every named player must have had a seat.

    The verdict's record has current names instead of players' former names. A house game is settled
    by its current document. A correction is settled by the document that the hand was dealt under.
    `took` must be the whole pot or the pot minus the carry, unless `took_may_differ` is true.
    Imported hands may leave out rake or uncalled chips.
    """
    seated = _seated(night)
    record = _named(night, record, seated)
    played = playable(night, record, instead_of=instead_of) if isinstance(record, dict) else record
    [answer] = answers_to([played], sent=[record])
    return _verdict(record, played, answer, seated, took_may_differ=took_may_differ)


def settle_records(night: Night, records: Sequence[object]) -> list[Verdict]:
    """Return the verdicts on new records from this night, in the same form as `settle_record`."""
    seated = _seated(night)
    records = [_named(night, record, seated) for record in records]
    play = playables(night.season.league_id)
    played = [play(record) if isinstance(record, dict) else record for record in records]
    judged = zip(records, played, answers_to(played, sent=records), strict=True)
    return [_verdict(*parts, seated) for parts in judged]


def settled_again_if_renamed(
    night: Night, verdicts: Sequence[Verdict], *, instead_of: Hand | None = None
) -> list[Verdict]:
    """Return the verdicts, settled again if a player was renamed since. The night is locked."""
    seated = _seated(night)
    return [
        verdict
        if verdict.names.items() <= seated.items()
        else settle_record(night, verdict.record, instead_of=instead_of)
        for verdict in verdicts
    ]


def _verdict(
    record: object,
    played: object,
    answer: dict[str, Any],
    seated: dict[str, UUID],
    *,
    took_may_differ: bool = False,
) -> Verdict:
    """Return the verdict. `played` is the record with the game's document, as it was settled."""
    errors = list(answer.get("errors", ()))
    # records with more players are rejected with a different error
    for place, name in enumerate(_names(record)[:MOST_PLAYERS]):
        if isinstance(name, str) and name not in seated:
            where, text = f"players/{place}/name", f"{shown(name)} has no seat in this night"
            errors.append(problem(where, "unknown-player", text))
    if errors or not isinstance(record, dict) or not isinstance(played, dict):
        return Verdict(errors=errors)
    if played is not record:
        # name the house game instead of including its document
        answer["variant"] = record["variant"]
    return Verdict(
        record=record,
        variant=played["variant"],
        answer=answer,
        names={name: seated[name] for name in _names(record)},
        errors=[] if took_may_differ else list(_wrong_took(record, answer)),
    )


def _wrong_took(record: dict[str, Any], answer: dict[str, Any]) -> Iterator[Problem]:
    """Yield a problem if `took` is neither the whole pot nor the pot minus the carry.

    Without this check, the stacks would follow the rules and `took` would have no effect.
    """
    if not (left := unaccounted(record, answer)):
        return
    took = sum(record["took"].values())
    text = (
        _("The players took %(took)s of %(pot)s. Add the missing %(left)s.")
        if left > 0
        else _("The players took %(took)s of %(pot)s. That is %(left)s too many.")
    )
    sums = {"took": took, "pot": took + left, "left": abs(left)}
    yield problem("took", "took-does-not-add-up", text % sums)


def _seated(night: Night) -> dict[str, UUID]:
    """Return the ids of all players who have had a seat, keyed by name.

    A hand may be sent after one of its players has left.
    """
    return {name: as_uuid(player) for name, player in query_by_keys(_SEATED, night.pk)}


def _named(night: Night, record: object, seated: dict[str, UUID]) -> object:
    """Return the record with current names. Former names are read only if a name has no seat."""
    known = all(isinstance(name, str) and name in seated for name in _names(record))
    return record if known else with_current_names(night, record)


def _names(record: object) -> list[Any]:
    players = record.get("players") if isinstance(record, dict) else None
    rows = players if isinstance(players, list) else []
    return [row.get("name") if isinstance(row, dict) else None for row in rows]


def with_current_names(night: Night, record: object) -> object:
    """Return the record with current names instead of players' former names in this night.

    A name that a player in the league has now always means that player.
    """
    if not isinstance(record, dict) or not is_storable(record):
        return record
    former = FormerName.objects.filter(night=night).values_list("name", "player__name")
    called = dict(former)
    league = night.season.league
    current = Player.with_box.filter(league=league, name__in=called).values_list("name", flat=True)
    for name in current:
        del called[name]
    return renamed_record(record, called, name_words(league, called)) if called else record


def is_same(night: Night, stored: object, sent: object) -> bool:
    """Check whether a stored record was sent as `sent`, perhaps before a player was renamed."""
    return stored == sent or stored == with_current_names(night, sent)


def name_words(league: League, called: Mapping[str, str]) -> Words:
    """Return the words that replace former names, but not as parts of other players' names."""
    others = league.players.exclude(name__in=called.values()).values_list("name", flat=True)
    return in_words(called, [*called, *others])


def renamed_record(
    record: dict[str, Any], called: Mapping[str, str], words: Words
) -> dict[str, Any]:
    """Return the record with other names. `words` replaces them in comments."""
    renamed = rename_players(record, called)
    game = {key: renamed[key] for key in ("variant",) if key in renamed}
    reworded: dict[str, Any] = in_json(renamed, {}, words)
    return reworded | game
