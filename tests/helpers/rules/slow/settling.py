"""Pots, shares and odd chips, as docs/record.md and docs/rulings.md have them, once more."""

from collections.abc import Mapping
from typing import Any

from tests.helpers.rules.slow.against_pot import won_in_turn
from tests.helpers.rules.slow.hands import Strength
from tests.helpers.rules.slow.reading import Game, Seat, Unread, read_measure, strength

Record = Mapping[str, Any]
Chips = dict[str, int]


def won_by(document: Mapping[str, Any], record: Record) -> Chips:
    """What each player wins of a hand. Raises Unread for what this reading does not know."""
    game = Game(document, record.get("options", {}))
    _only_known(game, record)
    names = [player["name"] for player in record["players"]]
    if any(text.startswith("against pot") for text in game._when("dues")):
        return won_in_turn(game._when("dues"), record, _from_dealer(game, record))
    won = dict.fromkeys(names, 0)
    if game.ends_for_all(record):
        return won
    record = _without(game.killed(record), record)
    pots = _pots(record)
    live = [p["name"] for p in record["players"] if not (p.get("folded") or p.get("mucked"))]
    measured = _measured(game, record, live) if len(live) > 1 else []
    order = _from_dealer(game, record)
    for amount, seats in pots:
        if len(seats) == 1:
            won[seats[0]] += amount
            continue
        shares = _shares(game, record, measured, seats)
        if not shares and game.document.get("unwon") == "split":
            shares = [seats]
        for share, part in zip(shares, _divide(amount, len(shares)), strict=True):
            sharing = sorted(share, key=order.index)
            for name, chips in zip(sharing, _divide(part, len(sharing)), strict=True):
                won[name] += chips
    return won


def _without(killed: set[str], record: Record) -> Record:
    players = (
        {**one, "folded": one["name"] in killed or one.get("folded")} for one in record["players"]
    )
    return {**record, "players": [*players]}


UNKNOWN = ("dues", "match", "bug")
HARMLESS = ("until empty", "same dealer", "against pot", "post pays", "call")  # to who wins


def _only_known(game: Game, record: Record) -> None:
    told = game.document
    for key in UNKNOWN:
        if any(not text.startswith(HARMLESS) for text in game._when(key)):
            raise Unread(key)
    if told.get("declare") == "row":
        raise Unread("row")
    if told.get("ties", "split") != "split" or told.get("alone", "wins") != "wins":
        raise Unread("ties")
    if record.get("modifiers") or record.get("carried") or record.get("tiebreaks"):
        raise Unread("record")
    if record.get("options", {}).get("odd_chip", "seat") != "seat" or record.get("depth"):
        raise Unread("odd chips")
    if any("turn until" in text for text in told.get("deal", ())):
        raise Unread("turn until")


def _measured(
    game: Game, record: Record, live: list[str]
) -> list[list[dict[str, Strength | None]]]:
    seats = {name: seat for name, seat in game.seats(record).items() if name in live}
    for seat in seats.values():
        game.mark_wild(seat)
    found = []
    before: str | None = None  # the sentence of the share before
    for text in game.document["shares"]:
        said, _, condition = text.partition(" when ")
        if not game._holds(condition):
            continue
        sentence = said.partition(":")[2] or said
        parts = [each.strip() for each in sentence.split(" else ")]
        found.append([_all(game, seats, each, before) for each in parts])
        before = sentence.strip()
    return found


def _all(
    game: Game, seats: dict[str, Seat], text: str, before: str | None
) -> dict[str, Strength | None]:
    measure = read_measure(text)
    left_by = read_measure(before) if before and " unused" in text else None
    return {name: strength(game, seat, measure, left_by) for name, seat in seats.items()}


def _shares(
    game: Game, record: Record, measured: list[list[dict[str, Strength | None]]], seats: list[str]
) -> list[list[str]]:
    """Who wins each share that somebody wins; where players declare, of those who went for it."""
    if game.document.get("declare", "cards-speak") == "cards-speak":
        return [won for alternatives in measured if (won := _best(alternatives, seats))]
    said = {p["name"]: p.get("declared", "") for p in record["players"] if p["name"] in seats}
    names = game.share_names()
    going = [[s for s in seats if said[s] in {name, "both"}] for name in names]
    both = [seat for seat in seats if said[seat] == "both"]
    out = {
        seat
        for seat in both
        for alternatives, some in zip(measured, going, strict=True)
        if not _wins_it(game, seat, _best(alternatives, some))
    }
    left = [[seat for seat in some if seat not in out] for some in going]
    pairs = zip(measured, left, strict=True)
    return [won for alternatives, some in pairs if (won := _best(alternatives, some))]


def _wins_it(game: Game, seat: str, best: list[str]) -> bool:
    """Whether somebody who went both ways won this one; a tie is enough where it says so."""
    if game.document.get("both_ways", "outright") == "outright":
        return best == [seat]
    return seat in best


def _best(alternatives: list[dict[str, Strength | None]], seats: list[str]) -> list[str]:
    for strengths in alternatives:
        shown = {name: strengths[name] for name in seats if strengths[name] is not None}
        if shown:
            best = max(value for value in shown.values() if value is not None)
            return [name for name, value in shown.items() if value == best]
    return []


def _pots(record: Record) -> list[tuple[int, list[str]]]:
    """The pots that somebody can win, level by level; what is not called goes back."""
    players = record["players"]
    stakes = {p["name"]: p.get("paid", 0) - p.get("dead", 0) for p in players}
    live = [p["name"] for p in players if not (p.get("folded") or p.get("mucked"))]
    highest = sorted(stakes.values())
    if len(highest) > 1 and highest[-1] > highest[-2]:
        top = max(stakes, key=lambda name: stakes[name])
        stakes[top] = highest[-2]
    dead = sum(p.get("dead", 0) for p in players)
    levels = sorted({stakes[name] for name in live})
    found: list[tuple[int, list[str]]] = []
    floor = 0
    for place, level in enumerate(levels):
        upto = max(stakes.values()) if place == len(levels) - 1 else level
        amount = sum(min(stake, upto) - min(stake, floor) for stake in stakes.values())
        amount += dead if not found and not place else 0
        if amount:
            found.append((amount, [name for name in live if stakes[name] >= level]))
        floor = level
    return found


def _from_dealer(game: Game, record: Record) -> list[str]:
    names = [player["name"] for player in record["players"]]
    step = -1 if game.document.get("direction") == "counter-clockwise" else 1
    at = record["button"]
    return [names[(at + step * n) % len(names)] for n in range(1, len(names) + 1)]


def _divide(amount: int, among: int) -> list[int]:
    return [amount // among + (n < amount % among) for n in range(among)] if among else []
