"""A league's counting progress and the names of its players and games, read in one query."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID
from zlib import crc32

from league.closing.standings import LAST_CLOSING
from ledger.sql import as_uuid, is_postgresql, json_list, parse_json, query, uuid_text


@dataclass(frozen=True)
class LeagueState:
    """A league's state when a page began to read. Data read later is at least as new.

    `version` grows with each counting step and is 0 before the first step. `waiting` is the number
    of hands that are not counted yet. `last_fact` is the highest id of the league's facts.
    `last_on_tabs` is the last transfer on any tab, which few hands change. `last_closing` is the
    last posting that closed or reopened a night. `rebuilt_at` is when rows were last replaced
    although no hand had changed. Names are JSON lists of (id, name) pairs.
    """

    league: UUID
    version: int
    waiting: int
    rebuilt_at: str | None
    last_fact: int | None
    last_on_tabs: int | None
    last_closing: int | None
    player_names: str
    game_names: str

    @cached_property
    def players(self) -> dict[UUID, str]:
        """The names of all players, keyed by id."""
        return {as_uuid(key): name for key, name in parse_json(self.player_names)}

    @property
    def names_version(self) -> int:
        """A number that changes when one of the league's players or games is renamed."""
        return crc32(f"{self.player_names}{self.game_names}".encode())


def league_state(league: UUID) -> LeagueState:
    """Return a league's state in one query."""
    pair = "json_build_array" if is_postgresql() else "json_array"
    names = (
        f"(SELECT COALESCE({json_list(f'{pair}(CAST(x.id AS text), x.name)')}, '[]')"
        " FROM (SELECT id, name FROM {} WHERE league_id = l.id ORDER BY id) x)"
    )
    # each tab's last transfer is found with an index
    last_on_tabs = " UNION ALL ".join(
        f"SELECT (SELECT max(t.id) FROM ledger_transfer t WHERE t.{side} = a.id) AS id"
        " FROM ledger_account a WHERE a.book_id = l.book_id AND a.kind = 'tab'"
        for side in ("debit_id", "credit_id")
    )
    sql = (
        "SELECT s.version, (SELECT count(*) FROM league_stalemark m WHERE m.league_id = l.id),"
        " CAST(s.rebuilt_at AS text),"
        " (SELECT max(f.id) FROM league_handfact f WHERE f.league_id = l.id),"
        f" (SELECT max(x.id) FROM ({last_on_tabs}) x),"
        f" {LAST_CLOSING.format('l.id')},"
        f" {names.format('league_player')}, {names.format('league_housegame')}"
        " FROM league_league l LEFT JOIN league_statsstate s ON s.league_id = l.id"
        " WHERE l.id = %s"
    )
    [(version, *columns)] = query(sql, [uuid_text(league)])
    return LeagueState(league, version or 0, *columns)
