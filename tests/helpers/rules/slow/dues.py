"""Payments for cards and by losers, and a deal's effect on its match."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.helpers.rules.slow.hands import RANKS, Strength
from tests.helpers.rules.slow.reading import Game

Record = Mapping[str, Any]
Chips = dict[str, int]
Standings = Mapping[
    str, tuple[int, Strength]
]  # strength for the first share, or the lowest value if no hand qualifies


# --- the bank -------------------------------------------------------------------------------------


def banked(game: Game, record: Record) -> dict[str, Any]:
    """Return what rows make players put in and take. The dealer covers the difference."""
    dealer = record["players"][record["button"]]["name"]
    unit = record.get("options", {}).get("unit", 1)
    dues = game.when("dues")
    paid, won = dict.fromkeys(game.seats(record), 0), dict.fromkeys(game.seats(record), 0)
    for player in record["players"]:
        if player["name"] == dealer or player.get("folded") or player.get("mucked"):
            continue
        held = [card[0] for card in (*player.get("down", ()), *player.get("up", ()))]
        for text in dues:
            verb, *words = text.split()
            if verb in {"put", "take"}:
                row = record["board"][int(words[-1]) - 1]
                amounts = [
                    (_rank(card) if words[0] == "rank" else int(words[n])) * held.count(card[0])
                    for n, card in enumerate(row)
                ]
                (paid if verb == "put" else won)[player["name"]] += unit * sum(amounts)
    carried = record.get("carried", 0)
    left = carried if isinstance(carried, int) else sum(some["amount"] for some in carried)
    left += sum(paid.values()) - sum(won.values())
    paid[dealer] = max(-left, 0)
    stays = "leftover carry" in dues
    won[dealer] = 0 if stays else max(left, 0)
    carry = max(left, 0) if stays else 0
    return {"paid": paid, "won": won, "returned": dict.fromkeys(paid, 0), "carry": carry}


def _rank(card: str) -> int:
    return (RANKS.index(card[0]) + 2) if card[0] != "A" else 1


# --- losers ---------------------------------------------------------------------------------------


def owed(game: Game, record: Record, losers: Sequence[str], pot: int, verb: str) -> Chips:
    """Return what losers match or pay.

    All-in players pay nothing, because they have no chips left.
    """
    unit = record.get("options", {}).get("unit", 1)
    text = due_of(game, verb)
    if not text:
        return {}
    words = text.replace(" under half", "").split()
    price = pot if words[2] == "pot" else unit * int(words[2])
    price = min(price, unit * int(words[-1])) if "up to" in text else price
    all_in = {player["name"] for player in record["players"] if player.get("all_in")}
    return {name: price for name in losers if price and name not in all_in}


def due_of(game: Game, verb: str) -> str:
    """Return the game's due of this kind, or an empty string."""
    wanted = (f"losers {verb}", f"losers under half {verb}")
    return next((text for text in game.when("dues") if text.startswith(wanted)), "")


# --- a match --------------------------------------------------------------------------------------


def keeps_pot(game: Game) -> bool:
    return any(
        text.startswith(("until ", "lives ")) and text != "until empty"
        for text in game.when("match")
    )


def champions(
    game: Game,
    record: Record,
    live: Sequence[str],
    best: Sequence[str],
    winners: Sequence[str],
    standings: Standings,
) -> tuple[list[str], dict[str, Chips]]:
    """Return the players who win a match for legs or lives with this deal, and the new counts."""
    rules = game.when("match")
    response = record.get("match", {})
    names = [player["name"] for player in record["players"]]
    legs = next((int(t.split()[1]) for t in rules if t.startswith("until ") and "leg" in t), 0)
    if legs:
        how = "leg for alone" if len(live) == 1 else "leg for best"
        earns = [*best] if len(best) == 1 and how in rules else []
        after = {n: response.get("legs", {}).get(n, 0) + (n in earns) for n in names}
        return [name for name in names if after[name] >= legs], {"legs": after}
    lives = next(int(t.split()[1]) for t in rules if t.startswith("lives "))
    lost: list[str] = []
    if len(live) > 1 and "life from losers" in rules and winners:
        lost = [name for name in live if name not in winners]
    if len(live) > 1 and "life from worst" in rules:
        lost = [name for name in live if standings[name] == min(standings[n] for n in live)]
    after = {n: response.get("lives", {}).get(n, lives) - (n in lost) for n in names}
    left = [name for name in names if after[name]]
    return (lost if not left else left if len(left) == 1 else []), {"lives": after}
