"""The current revisions of hands, from which facts are computed."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from league.common.text import game_of as named_game
from league.games.documents import document_of, documents_of, listed_hash
from league.stats.facts import RecordedHand
from ledger.sql import parse_json, placeholders, query, uuid_text
from rules.api import Game, final_record_and_betting, game_of
from rules.documents import catalog

Record = dict[str, Any]

LAST_HOUR = 23
_COLUMNS = (
    "CAST(h.id AS text)",
    "CAST(r.id AS text)",
    "h.number",
    "r.number",
    "CAST(h.made_at AS text)",
    "r.voids",
    "r.depth",
    "EXISTS (SELECT 1 FROM league_luck WHERE revision_id = r.id)",
    "r.record",
    "r.answer",
    "CAST(r.names AS text)",
    "CAST(n.id AS text)",
    "CAST(s.id AS text)",
    "CAST(s.league_id AS text)",
    "r.document_id",
    "(SELECT name FROM league_gamedocument WHERE hash = r.document_id)",
    "CAST(n.started_at AS text)",
)
_DOCUMENT = _COLUMNS.index("r.document_id")


def recorded_hands(hands: Sequence[str]) -> list[RecordedHand]:
    """Return the current revisions of these hands, in the given order."""
    rows = query(
        f"SELECT {', '.join(_COLUMNS)} FROM league_hand h"
        " JOIN league_revision r ON r.hand_id = h.id AND r.current"
        " JOIN league_night n ON n.id = h.night_id JOIN league_season s ON s.id = n.season_id"
        f" WHERE h.id IN {placeholders(hands)}",
        hands,
    )
    documents = documents_of(row[_DOCUMENT] for row in rows)
    by_hand = {row[0]: _recorded_hand(row, documents.__getitem__) for row in rows}
    return [by_hand[hand] for hand in hands if hand in by_hand]


def _recorded_hand(row: tuple[Any, ...], document: Callable[[str], Record]) -> RecordedHand:
    hand, revision, number, revised, played_at, voids, depth, has_luck, *texts = row
    record, answer = map(parse_json, texts[:2])
    names, night, season, league, digest, name, started_at = texts[2:]
    variant = record["variant"]
    betting: Mapping[str, Any] = {}
    if "actions" in record:
        listed = _is_listed(variant, digest)
        playable = record if listed else record | {"variant": document(digest)}
        end, counts = final_record_and_betting(playable)
        if counts:
            players = [player["name"] for player in playable["players"]]
            betting = dict(zip(players, counts, strict=True))
        record = (end or playable) | {"variant": variant}
    passed = datetime.fromisoformat(played_at) - _date_time(started_at)
    return RecordedHand(
        league=league,
        season=season,
        night=night,
        hand=hand,
        revision=revision,
        number=number,
        revised=revised,
        played_at=played_at,
        voided=bool(voids),
        verified=depth != "result",
        record=record,
        answer=answer,
        names=_names(names),
        game=named_game(variant, name),
        rules=partial(rules_of, record, digest, document),
        betting=betting,
        hour=min(max(passed // timedelta(hours=1), 0), LAST_HOUR),
        has_luck=bool(has_luck),
    )


@lru_cache(maxsize=256)
def _date_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


@lru_cache(maxsize=256)
def _names(text: str) -> Mapping[str, str]:
    """Return the players' ids, keyed by name.

    The result is cached, because a night's hands have the same players.
    """
    return {name: uuid_text(key) for name, key in json.loads(text).items()}


def _is_listed(variant: object, digest: str) -> bool:
    return (
        isinstance(variant, str) and variant in catalog.slugs() and listed_hash(variant) == digest
    )


def rules_of(
    record: Record, digest: str, document: Callable[[str], Record] = document_of
) -> Game | None:
    """Return the game that a hand was dealt under, or None. `digest` is its document's hash."""
    if _is_listed(record["variant"], digest):
        return game_of(record).game
    chosen: Record = {name: record[name] for name in ("modifiers", "options") if name in record}
    key = (digest, json.dumps(chosen))
    if key not in _OWN_GAMES:
        if len(_OWN_GAMES) >= MOST_OWN_GAMES:
            _OWN_GAMES.clear()
        _OWN_GAMES[key] = game_of({"variant": document(digest), **chosen}).game
    return _OWN_GAMES[key]


MOST_OWN_GAMES = 512
_OWN_GAMES: dict[tuple[str, str], Game | None] = {}
