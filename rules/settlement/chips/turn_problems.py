"""What is wrong with a record of bets against the pot."""

from collections.abc import Iterator, Sequence

from rules.cards import UNSEEN
from rules.errors import Problem
from rules.game.hand import Hand, Player
from rules.settlement.chips.pot_turns import (
    POSTS,
    is_pair,
    takes_turn,
    winning_cards,
)

CALLS = ("high", "low")


def turn_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    """Cards that decide a bet and are not there, and what must be called and is not."""
    for seat in hand.live:
        player, where = hand.players[seat], f"players/{seat}"
        if hand.game.calls and player.declared not in (None, *CALLS):
            text = f"{player.name} may call {' or '.join(CALLS)}"
            yield Problem(f"{where}/declared", "bad-declaration", text)
        if f"{where}/up" in misread or f"{where}/down" in misread:
            continue
        if hand.game.against_pot == "between":
            yield from _between(hand, seat, where)
        elif takes_turn(hand, seat):
            yield from _higher(hand, player, where)


def _between(hand: Hand, seat: int, where: str) -> Iterator[Problem]:
    player = hand.players[seat]
    bets = player.paid > player.dead
    if len(player.up) == 1 or (len(player.up) == POSTS and bets):
        text = f"{len(player.up)} of the two posts and the card that decides"
        yield Problem(f"{where}/up", "card-count", text)
    if len(player.up) <= POSTS:
        return
    yield from _unseen(f"{where}/up", player.up)
    asked = "pair" in hand.game.calls and bets and UNSEEN not in player.up
    if asked and player.declared is None and is_pair(hand.game, player):
        text = f"{player.name} did not call the card after a pair: high or low"
        yield Problem(f"{where}/declared", "not-declared", text)


def _higher(hand: Hand, player: Player, where: str) -> Iterator[Problem]:
    """Whoever wins shows one card, whoever loses all of them."""
    yield from _unseen(f"{where}/up", player.up)
    if UNSEEN in player.up or winning_cards(player):
        return
    yield from _unseen(f"{where}/down", player.held_down)
    if len(player.held_down) < hand.game.down.least:
        text = f"no card here beats the one turned up, and there are {hand.game.down.least}"
        yield Problem(f"{where}/down", "card-count", text)


def _unseen(where: str, cards: Sequence[int]) -> Iterator[Problem]:
    for at, card in enumerate(cards):
        if card == UNSEEN:
            yield Problem(f"{where}/{at}", "unknown-card", "this card counts: which was it?")
