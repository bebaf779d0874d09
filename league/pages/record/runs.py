"""The form's fields for a deal that was run several times.

The form shows the first run like a deal that is run once, and for each further run only the cards
that it deals. So the number of these cards determines which cards were dealt before the runs: `Ks
2d` replaces the last two cards of a row. If the missing cards are not the last ones, the field has
all cards of the row, with `??` for those that stay: `?? Ks ?? 2d ??`.

Places are paths in a record with one run: `board/0`, `players/1/up`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.cards import UNSEEN_TEXT

Record = dict[str, Any]
Cards = list[str]
MOST_RUNS = 4
ZONES = ("down", "up")


def divide(record: Record, added: Sequence[Mapping[str, Cards]], facts: Sequence[Record]) -> Record:
    """Return the record of a deal with several runs.

    `record` has all cards of the first run. `added` and `facts` contain the cards by place and the
    options of each further run.
    """
    whole = _copied(record)
    runs: list[Record] = [{} for _run in range(len(added) + 1)]
    for run, options in zip(runs[1:], facts, strict=True):
        if options:
            run["options"] = options
    for place in dict.fromkeys(place for run in added for place in run):
        first = _cards_at(whole, place)
        places = next(filter(None, (_dealt(first, run.get(place, [])) for run in added)), [])
        _put(runs[0], whole, place, [first[at] for at in places])
        for run, typed in zip(runs[1:], added, strict=True):
            cards = typed.get(place, [])
            is_row = len(cards) == len(first)
            dealt = [cards[at] for at in _dealt(first, cards)] if is_row else cards
            _put(run, whole, place, dealt)
        shared = [UNSEEN_TEXT if at in places else card for at, card in enumerate(first)]
        while shared and len(shared) - 1 in places:
            shared.pop()
        _replace(whole, place, shared)
    while whole.get("board") and not whole["board"][-1]:
        whole["board"].pop()
    if not whole.get("board"):
        whole.pop("board", None)
    return whole | {"runs": runs}


def join(record: Record) -> tuple[Record, list[dict[str, Cards]], list[Record]] | None:
    """Return the arguments with which `divide` returns these runs, or None without any."""
    if not _fits_fields(record):
        return None
    whole = _copied({key: value for key, value in record.items() if key != "runs"})
    added: list[dict[str, Cards]] = []
    for run in record["runs"]:
        by_place = {f"board/{row}": cards for row, cards in enumerate(run.get("board", []))}
        seats = {player.get("name"): seat for seat, player in enumerate(record["players"])}
        for player in run.get("players", []):
            seat = seats.get(player["name"])
            by_place |= {f"players/{seat}/{zone}": player.get(zone, []) for zone in ZONES}
        added.append({place: cards for place, cards in by_place.items() if cards})
    if any("players/None" in place for run in added for place in run):
        return None
    texts: list[dict[str, Cards]] = [{} for _run in added[1:]]
    for place in dict.fromkeys(place for run in added for place in run):
        before, first = _cards_at(whole, place), added[0].get(place, [])
        gaps = [at for at, card in enumerate(before) if card == UNSEEN_TEXT][: len(first)]
        length = len(before) + len(first) - len(gaps)
        gaps += range(len(before), length)
        _replace(whole, place, _filled([*before, *[""] * (length - len(before))], gaps, first))
        is_tail = gaps == [*range(length - len(gaps), length)]
        for text, run in zip(texts, added[1:], strict=True):
            if cards := run.get(place):
                empty = [UNSEEN_TEXT] * length
                text[place] = cards if is_tail else _filled(empty, gaps, cards)
    facts = [run.get("options", {}) for run in record["runs"][1:]]
    same = divide(whole, texts, facts)["runs"] == record["runs"]
    return (whole, texts, facts) if same else None


def _filled(cards: Cards, places: Sequence[int], added: Cards) -> Cards:
    filled = dict(zip(places, added, strict=False))
    return [filled.get(at, card) for at, card in enumerate(cards)]


def _dealt(first: Cards, cards: Cards) -> list[int]:
    """Return the positions of the first run's cards in whose place a further run deals others."""
    if len(cards) != len(first):
        return [*range(max(0, len(first) - len(cards)), len(first))]
    pairs = enumerate(zip(first, cards, strict=True))
    return [at for at, (old, new) in pairs if new not in (UNSEEN_TEXT, old)]


def _copied(record: Record) -> Record:
    copied = dict(record)
    if "board" in copied:
        copied["board"] = [[*row] for row in copied["board"]]
    if "players" in copied:
        copied["players"] = [dict(player) for player in copied["players"]]
    return copied


def _cards_at(record: Record, place: str) -> Cards:
    head, number, *zone = place.split("/")
    if head == "players":
        held: Cards = record["players"][int(number)].get(zone[0], [])
        return held
    board: list[Cards] = record.get("board", [])
    return board[int(number)] if int(number) < len(board) else []


def _replace(record: Record, place: str, cards: Cards) -> None:
    head, number, *zone = place.split("/")
    if head == "players":
        record["players"][int(number)][zone[0]] = cards
        if not cards:
            del record["players"][int(number)][zone[0]]
        return
    board = record.setdefault("board", [])
    board += [[] for _row in range(len(board), int(number) + 1)]
    board[int(number)] = cards


def _put(run: Record, whole: Record, place: str, cards: Cards) -> None:
    """Add a run's cards to its part of the record."""
    head, number, *zone = place.split("/")
    if not cards:
        return
    if head == "board":
        _replace(run, place, cards)
        return
    name = whole["players"][int(number)].get("name", "")
    players = run.setdefault("players", [])
    player = next((each for each in players if each["name"] == name), None)
    if player is None:
        player = {"name": name}
        players.append(player)
    player[zone[0]] = cards


def _fits_fields(record: Record) -> bool:
    """Return whether the runs contain only cards and options for which the form has fields."""
    runs, players = record.get("runs"), record.get("players")
    if record.get("depth") == "result" or not isinstance(runs, list):
        return False
    if not 2 <= len(runs) <= MOST_RUNS:
        return False
    if not isinstance(players, list) or not all(isinstance(each, dict) for each in players):
        return False
    return (
        all(isinstance(run, dict) and run.keys() <= {"board", "players", "options"} for run in runs)
        and all(isinstance(run.get("options", {}), dict) for run in runs)
        and all(_are_rows(each.get("board", [])) for each in (record, *runs))
        and all(isinstance(player.get("name", ""), str) for player in players)
        and _are_rows([player.get(zone, []) for player in players for zone in ZONES])
        and all(isinstance(run.get("players", []), list) for run in runs)
        and all(
            isinstance(player, dict)
            and player.keys() <= {"name", *ZONES}
            and isinstance(player.get("name"), str)
            and _are_rows([player.get(zone, []) for zone in ZONES])
            for run in runs
            for player in run.get("players", [])
        )
    )


def _are_rows(rows: object) -> bool:
    return isinstance(rows, list) and all(
        isinstance(row, list) and all(isinstance(card, str) for card in row) for row in rows
    )
