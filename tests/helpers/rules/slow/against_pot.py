"""Bets against the pot, as specified in docs/record.md."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.helpers.rules.slow.hands import RANKS

Record = Mapping[str, Any]
Chips = dict[str, int]


def settled_in_turn(dues: Iterable[str], record: Record, order: list[str]) -> dict[str, Any]:
    """Return what each player takes from the pot, puts in, and gets back.

    A won bet is returned with the same amount from the pot. A bet is at most the pot.
    """
    words = [*dues]
    players = {player["name"]: _with_shared(player, record) for player in record["players"]}
    in_turn = [name for name in order if _has_turn(words, players[name])]
    pot = sum(_beside(player, in_turn) for player in players.values())
    carried = record.get("carried", 0)
    pot += carried if isinstance(carried, int) else sum(some["amount"] for some in carried)
    won, returned = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    paid = {name: player.get("paid", 0) for name, player in players.items()}
    for name in in_turn:
        player = players[name]
        staked = player.get("paid", 0) - player.get("dead", 0)
        bet = min(staked, pot)
        returned[name] = staked - bet
        costs = _costs(words, player)
        if costs:
            more = 0 if player.get("all_in") else bet * (costs - 1)
            paid[name] += more
            pot += bet + more
        else:
            won[name] = 2 * bet
            pot -= bet
    return {"won": won, "paid": paid, "returned": returned, "carry": pot}


def _with_shared(player: Mapping[str, Any], record: Record) -> Mapping[str, Any]:
    shared = [some["card"] for some in record.get("shared", ()) if player["name"] in some["for"]]
    return {**player, "down": [*player.get("down", ()), *shared]}


def _has_turn(words: list[str], player: Mapping[str, Any]) -> bool:
    if player.get("folded") or player.get("mucked"):
        return False
    return len(player.get("up", ())) == (3 if "against pot between" in words else 1)


def _beside(player: Mapping[str, Any], in_turn: list[str]) -> int:
    chips: int = player.get("dead" if player["name"] in in_turn else "paid", 0)
    return chips


def _costs(words: list[str], player: Mapping[str, Any]) -> int:
    """Return how many bets the player loses, or 0 if the player wins."""
    if "against pot higher of suit" in words:
        turned = player["up"][0]
        alike = [card for card in player["down"] if card[1] == turned[1]]
        return 0 if any(_height(card) > _height(turned) for card in alike) else 1
    first, second, third = (_height(card) for card in player["up"])
    same = [first, second].count(third)
    if same:
        pays = next((text.split()[2:] for text in words if text.startswith("post")), ["1"])
        return int(pays[-1] if same == 2 else pays[0])
    called = player.get("declared")
    if "call ace" in words and called == "low" and first == _height("As"):
        first = -1
    if first == second and "call pair" in words:
        return 0 if (third > first) == (called == "high") else 1
    return 0 if third in range(min(first, second) + 1, max(first, second)) else 1


def _height(card: str) -> int:
    return RANKS.index(card[0])
