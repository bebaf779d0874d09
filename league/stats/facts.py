"""Compute and store the facts of hands."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from league.hands.chip_movements import chip_totals
from league.models import HandFact, Result
from ledger.sql import batched, execute, is_postgresql, json_list, parse_json, placeholders, query
from rules.api import Game, ranks_high, strength

Flow = tuple[int, int, int]  # the loser's position, the winner's position, and the chips


def flows(stakes: Sequence[int], won: Sequence[int], carried: int, carry: int) -> list[Flow]:
    """Return the chip flows between players.

    `stakes` and `won` are chips by position. `carried` chips come from an earlier hand and `carry`
    chips go to a later hand, so neither is part of a flow. Flows between two players are offset,
    which leaves at most one direction.
    """
    whole = sum(won) + carry
    if not whole or whole != sum(stakes) + carried:
        return []
    if whole in won:  # one player won everything, including all stakes
        winner = won.index(whole)
        losers = enumerate(stakes)
        return [(loser, winner, chips) for loser, chips in losers if chips and loser != winner]
    return _netted(_shared([*stakes, carried], [*won, carry], whole), len(stakes))


def flows_by_pot(
    stakes: Sequence[int], pots: Iterable[Mapping[str, Any]], places: Mapping[str, int]
) -> list[Flow]:
    """Return the flows of a hand with side pots, computed for each pot separately.

    Each pot contains the part of each stake between the previous pot and the smallest stake of the
    pot's players. Returns no flows if the result differs from the recorded pots.
    """
    cells: dict[tuple[int, int], int] = {}
    floor, layers = 0, list(pots)
    for number, pot in enumerate(layers, start=1):
        seats = [places[name] for name in pot["for"]]
        top = max(stakes) if number == len(layers) else min((stakes[s] for s in seats), default=0)
        parts = [max(0, min(stake, top) - floor) for stake in stakes]
        won = [0] * len(stakes)
        for share in pot["shares"]:
            for name, chips in share["winners"].items():
                won[places[name]] += chips
        if sum(parts) != pot["amount"] or sum(won) != pot["amount"]:
            return []
        for loser, winner, chips in _netted(_shared(parts, won, pot["amount"]), len(stakes)):
            cells[loser, winner] = cells.get((loser, winner), 0) + chips
        floor = top
    return _offset(cells)


def _shared(sources: Sequence[int], sinks: Sequence[int], whole: int) -> dict[tuple[int, int], int]:
    """Return how many chips went from each source to each sink, keyed by (source, sink)."""
    cells: dict[tuple[int, int], int] = {}
    upto = 0
    before = [0] * len(sinks)
    for source, stake in enumerate(sources):
        if not stake:
            continue
        upto += stake
        reached = last = 0
        for sink, chips in enumerate(sinks):
            if not chips:
                continue
            reached += chips
            corner = upto * reached // whole
            cells[source, sink] = corner - before[sink] - last
            last, before[sink] = corner - before[sink], corner
    return cells


def _netted(cells: Mapping[tuple[int, int], int], players: int) -> list[Flow]:
    return _offset({pair: n for pair, n in cells.items() if max(pair) < players})


def _offset(cells: Mapping[tuple[int, int], int]) -> list[Flow]:
    """Return each pair of players once, in the direction of the net flow."""
    netted = []
    for (one, other), chips in cells.items():
        back = cells.get((other, one), 0)
        if one < other or (other, one) not in cells:
            left = chips - back
            if one != other and left:
                netted.append((one, other, left) if left > 0 else (other, one, -left))
    return sorted(netted)


Record = Mapping[str, Any]
Answer = Mapping[str, Any]

HIGH, LOW = "high", "low"
MISTAKES = frozenset(("took-differs", "put-differs"))


class RecordedHand(NamedTuple):
    """A hand's current revision, and where it was dealt. IDs are in the database's format.

    `game` is the game's name in the record. `rules` returns the game that the hand was dealt under.
    """

    league: Any
    season: Any
    night: Any
    hand: Any
    revision: Any
    number: int
    revised: int
    played_at: Any
    voided: bool
    verified: bool
    record: Record
    answer: Answer
    names: Mapping[str, str]
    game: str
    rules: Callable[[], Game | None]
    # counts by player name, if the hand has actions
    betting: Mapping[str, Any] = MappingProxyType({})
    hour: int = 0  # hour within the night, starting at 0
    has_luck: bool = False  # whether the board was redealt

    def strengths(
        self,
        shown: Mapping[str, Mapping[str, Any]],
        takers: Collection[str],
    ) -> tuple[int | None, int | None]:
        """Return the strengths of the best hand for the first share and of the best losing hand.

        A hand loses if its player is not one of the `takers`, who won chips with some share of the
        pot. The second strength is None unless hands rank in the standard order, which makes games
        comparable.
        """
        game = self.rules()
        if game is None or not game.share_names:
            return None, None
        way = game.share_names[0]
        best = beat = None
        compares = ranks_high(game, way)
        for name, ways in shown.items():
            value = strength(game, way, ways[way]) if way in ways else None
            if value is None:
                continue
            best = value if best is None else max(best, value)
            if compares and name not in takers:
                beat = value if beat is None else max(beat, value)
        return best, beat

    def luck_state(self, shown: Mapping[str, Any]) -> int:
        """Return whether luck can be or was computed by redealing the board."""
        record = self.record
        deals = [record, *record.get("runs", ())]
        has_board = any(deal.get("board") for deal in deals)
        if not (shown and has_board) or any(deal.get("tiebreaks") for deal in deals):
            return HandFact.Luck.NONE
        return HandFact.Luck.FOUND if self.has_luck else HandFact.Luck.WAITS


class HandRow(NamedTuple):
    """A HandFact row, with the columns in the same order."""

    league: Any
    season: Any
    night: Any
    hand: Any
    revision: Any
    number: int
    revised: int
    played_at: Any
    game: str
    dealer: str
    verified: bool
    voided: bool
    hour: int
    pot: int = 0
    carried: int = 0
    carry: int = 0
    showdown: bool = False
    best: int | None = None
    beat: int | None = None
    scoop: int = 0
    mistaken: bool = False
    moved: int = 0
    flows: str = "[]"
    luck: int = HandFact.Luck.NONE


# The columns of a HandRow that are known without a computation.
_Known = tuple[Any, Any, Any, Any, Any, int, int, Any, str, str, bool, bool, int]


class ResultRow(NamedTuple):
    """A Result row, with the columns in the same order, except the hand."""

    player: str
    position: int
    put: int = 0
    won: int = 0
    net: int = 0
    showdown: bool = False
    won_high: bool | None = None
    won_low: bool | None = None
    scooped: bool | None = None
    declared: str = ""
    was_right: bool | None = None
    moved: int = 0
    entered: bool | None = None
    raised: bool | None = None
    three_bet: bool | None = None
    saw_second: bool | None = None
    stayed: bool | None = None
    bets: int | None = None
    calls: int | None = None


class Facts(NamedTuple):
    """The rows for one hand. `results` are ordered by position, starting with the dealer."""

    hand: HandRow
    results: tuple[ResultRow, ...]


def facts(recorded: RecordedHand) -> Facts:
    """Return the hand's facts. A voided hand's facts contain no chips."""
    seats, button = recorded.record["players"], recorded.record["button"]
    seated = [*seats[button:], *seats[:button]]
    players = [recorded.names[each["name"]] for each in seated]
    if recorded.voided:
        results = tuple(ResultRow(player, at) for at, player in enumerate(players))
        return Facts(HandRow(*_hand_columns(recorded, players[0])), results)
    hand_facts = _counted(recorded, seated, players)
    if not recorded.betting:
        return hand_facts
    counts = (recorded.betting[each["name"]] for each in seated)
    pairs = zip(hand_facts.results, counts, strict=True)
    return hand_facts._replace(results=tuple(row._replace(**asdict(bets)) for row, bets in pairs))


def _hand_columns(recorded: RecordedHand, dealer: str) -> _Known:
    """Return the HandRow columns that are known without computing anything."""
    return (
        recorded.league,
        recorded.season,
        recorded.night,
        recorded.hand,
        recorded.revision,
        recorded.number,
        recorded.revised,
        recorded.played_at,
        recorded.game,
        dealer,
        recorded.verified,
        recorded.voided,
        recorded.hour,
    )


def _counted(recorded: RecordedHand, seated: Sequence[Record], players: Sequence[str]) -> Facts:
    answer = recorded.answer
    names = [each["name"] for each in seated]
    paid, back, won, carry = (answer[key] for key in ("paid", "returned", "won", "carry"))
    stakes = [paid[name] - back[name] for name in names]
    taken = [won[name] for name in names]
    carried = sum(taken) + carry - sum(stakes)
    hands: Mapping[str, Mapping[str, Any]] = answer.get("hands") or {}
    # if the dealer is the bank, there are no pots, and players' hands are not compared
    shown = hands if recorded.verified and answer["pots"] and len(hands) > 1 else {}
    winners: dict[str, set[str]] = {}  # the winners of each share in any pot
    for pot in answer["pots"] if shown else ():
        for share in pot["shares"]:
            winners.setdefault(share["way"], set()).update(share["winners"])
    split = len(winners) > 1
    takers = [name for name in names if won[name]]
    scooper = takers[0] if split and not carry and len(takers) == 1 else ""
    mistaken = any(finding["code"] in MISTAKES for finding in answer["findings"])
    wrong = chip_totals(recorded.record, answer).owed if mistaken else {}
    results = []
    for at, (name, player, put, got) in enumerate(zip(names, players, stakes, taken, strict=True)):
        result = ResultRow(player, at, put, got, got - put, moved=-wrong.get(name, 0))
        if name in shown:
            declared = seated[at].get("declared")
            result = result._replace(
                showdown=True,
                won_high=_won(shown, winners, name, HIGH),
                won_low=_won(shown, winners, name, LOW),
                scooped=name == scooper if split else None,
                declared=str(declared) if declared else "",
                was_right=got > 0 if declared else None,
            )
        results.append(result)
    best, beat = recorded.strengths(shown, takers) if shown else (None, None)
    hand = HandRow(
        *_hand_columns(recorded, players[0]),
        pot=sum(taken) + carry,
        carried=carried,
        carry=carry,
        showdown=bool(shown),
        best=best,
        beat=beat,
        scoop=won[scooper] if scooper else 0,
        mistaken=mistaken,
        moved=sum(chips for chips in wrong.values() if chips > 0),
        flows=_flows(answer, names, stakes, taken, carried),
        luck=recorded.luck_state(shown),
    )
    return Facts(hand, tuple(results))


def _won(
    shown: Mapping[str, Mapping[str, Any]],
    winners: Mapping[str, set[str]],
    name: str,
    way: str,
) -> bool | None:
    """Return whether the player won a share, or None if the player did not compete for it."""
    if way not in shown.get(name, ()):
        return None
    return name in winners.get(way, ())


def _flows(
    answer: Answer, names: Sequence[str], stakes: Sequence[int], taken: Sequence[int], carried: int
) -> str:
    """Return the flows of stakes between players as JSON."""
    hand_flows: list[Flow] = []
    if len(answer["pots"]) > 1 and not carried and not answer["carry"]:
        places = {name: at for at, name in enumerate(names)}
        hand_flows = flows_by_pot(stakes, answer["pots"], places)
    hand_flows = hand_flows or flows(stakes, taken, carried, answer["carry"])
    return f"[{','.join([f'[{loser},{winner},{chips}]' for loser, winner, chips in hand_flows])}]"


FACT = str(HandFact._meta.db_table)  # noqa: SLF001 (documented)
RESULT = str(Result._meta.db_table)  # noqa: SLF001 (documented)
MOST_VALUES = 20_000  # values per statement; SQLite accepts 32,766
_KEYS = frozenset(("league", "season", "night", "hand", "revision", "dealer", "player"))
_FACT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in HandRow._fields)
_RESULT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in ResultRow._fields)
_FLAGS = frozenset(
    "verified voided mistaken showdown won_high won_low scooped was_right entered raised three_bet"
    " saw_second stayed".split()
)


def read_facts(hands: Sequence[str]) -> dict[str, Facts]:
    """Return the stored facts about these hands, keyed by hand.

    Ids and times are read as text, in the format in which they are written. Results are read as a
    list together with their fact. To plan a join of the two tables, PostgreSQL would scan index
    entries of recently deleted rows.
    """
    array = "json_build_array" if is_postgresql() else "json_array"
    results = json_list(f"{array}({', '.join(_as_text('r', name) for name in _RESULT_COLUMNS)})")
    columns = ", ".join(_as_text("f", name) for name in _FACT_COLUMNS)
    rows = query(
        f"SELECT {columns}, (SELECT {results} FROM {RESULT} r WHERE r.fact_id = f.id)"
        f" FROM {FACT} f WHERE f.hand_id IN {placeholders(hands)}",
        hands,
    )
    by_hand = {}
    for *hand, text in rows:
        fact = HandRow(*_with_flags(HandRow._fields, hand))
        parts = [
            ResultRow(*_with_flags(ResultRow._fields, result))
            for result in parse_json(text or "[]")
        ]
        by_hand[fact.hand] = Facts(fact, tuple(sorted(parts, key=attrgetter("position"))))
    return by_hand


def _as_text(table: str, name: str) -> str:
    column = f"{table}.{name}"
    return f"CAST({column} AS text)" if name.endswith(("_id", "_at")) else column


def _with_flags(names: Sequence[str], row: Sequence[Any]) -> Iterator[Any]:
    """Yield the values of a row with flags as booleans, because SQLite stores flags as numbers."""
    for name, value in zip(names, row, strict=True):
        yield bool(value) if name in _FLAGS and value is not None else value


def replace_facts(rows: Sequence[Facts]) -> None:
    """Replace the stored facts about these hands. The new rows have new ids."""
    for batch in batched((hand_facts.hand.hand for hand_facts in rows), MOST_VALUES):
        old = f"SELECT id FROM {FACT} WHERE hand_id IN {placeholders(batch)}"
        execute(f"DELETE FROM {RESULT} WHERE fact_id IN ({old})", batch)
        execute(f"DELETE FROM {FACT} WHERE hand_id IN {placeholders(batch)}", batch)
    hands = [hand_facts.hand for hand_facts in rows]
    ids = [row[0] for row in _insert(FACT, _FACT_COLUMNS, hands)]
    results = [
        (key, *row) for key, hand_facts in zip(ids, rows, strict=True) for row in hand_facts.results
    ]
    _insert(RESULT, ("fact_id", *_RESULT_COLUMNS), results)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Insert the rows and return their ids in the same order."""
    into, line = f"INSERT INTO {table} ({', '.join(columns)})", placeholders(columns)
    ids = []
    for batch in batched(rows, MOST_VALUES // len(columns)):
        values = [value for row in batch for value in row]
        ids += query(f"{into} VALUES {', '.join([line] * len(batch))} RETURNING id", values)
    return ids
