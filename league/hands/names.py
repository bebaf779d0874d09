"""The names of players in records that clients send.

A phone that was recording or offline while a host renamed a player sends the former name. The
stored record contains the current name (docs/decisions/0101-former-names.md).
"""

from collections.abc import Mapping
from typing import Any

from league.common.text import Words, in_json, in_words, is_storable
from league.models import FormerName, League, Night, Player
from rules.api import rename_players

Record = dict[str, Any]


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


def renamed_record(record: Record, called: Mapping[str, str], words: Words) -> Record:
    """Return the record with other names. `words` replaces them in comments."""
    renamed = rename_players(record, called)
    game = {key: renamed[key] for key in ("variant",) if key in renamed}
    reworded: Record = in_json(renamed, {}, words)
    return reworded | game
