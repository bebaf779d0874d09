"""What a table did otherwise, or what looks wrong: reported beside a settlement, never part of
it (docs/record.md, "Findings")."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from rules.cards import TEXTS, UNSEEN
from rules.game.game import Game
from rules.game.hand import Hand
from rules.settlement.banking import Banking
from rules.settlement.chips.awards import Awards
from rules.settlement.chips.pot_turns import PotTurns
from rules.showdown.partial_hands import NO_STANDING, standing, turned_standing
from rules.showdown.showdown import Showdown

Finding = dict[str, str]
THROWN, DECLARED = attrgetter("out"), attrgetter("declared")
SILENT = {None}


def finding(code: str, text: str, player: str | None = None) -> Finding:
    return (
        {"code": code, "player": player, "text": text} if player else {"code": code, "text": text}
    )


def of_hand(
    hand: Hand, won: Mapping[str, int], awards: Awards, showdown: Showdown
) -> list[Finding]:
    found = of_table(hand, won)
    if awards.unbroken:
        text = "hands were tied and no tie-break round is recorded, so the share was split"
        found.append(finding("tie-not-broken", text))
    for seats in awards.unordered:
        names = " and ".join(hand.players[seat].name for seat in seats)
        text = f"{names} turned equal hands; the first from the dealer's left is taken"
        found.append(finding("order-unknown", text))
    if hand.game.turned is not None and showdown.strengths:
        found += _not_beating(hand, showdown)
    return found


def of_table(hand: Hand, won: Mapping[str, int]) -> list[Finding]:
    """What players did otherwise: took, declared, staked, played again; and how many sat there."""
    found: list[Finding] = []
    if hand.took is not None:
        found += took_otherwise(hand.took, won)
    if len(hand.players) > hand.game.players[1]:
        found += too_many(hand.game, len(hand.players))
    if not hand.game.declares and {*map(DECLARED, hand.players)} != SILENT:
        found += _declared(hand)
    stakes = [player.paid - player.dead for player in hand.players]
    if min(stakes) < max(stakes):
        short = [seat for seat in hand.live if not hand.players[seat].all_in]
        found += short_stakes([player.name for player in hand.players], stakes, short)
    if hand.game.loses_cards:
        found += _not_thrown(hand)
    if any(map(THROWN, hand.players)):
        found += _out_again(hand)
    return found


def of_banking(hand: Hand, banking: Banking) -> list[Finding]:
    found = [*too_many(hand.game, len(hand.players)), *_declared(hand)]
    names = [player.name for player in hand.players]
    for seat, player in enumerate(hand.players):
        if player.paid_told and player.paid != banking.paid[seat]:
            text = (
                f"{player.name} put in {player.paid:,}, the cards ask for {banking.paid[seat]:,}."
            )
            found.append(finding("put-differs", text, player.name))
    for seat, name in enumerate(names):
        if hand.took and name in hand.took and hand.took[name] != banking.won[seat]:
            text = f"{name} took {hand.took[name]:,}, the cards give {banking.won[seat]:,}."
            found.append(finding("took-differs", text, name))
    return found


def of_turns(hand: Hand, won: Mapping[str, int], played: PotTurns) -> list[Finding]:
    """What was otherwise in a game against the pot: a call, a bet above the pot, what was taken."""
    found = [*too_many(hand.game, len(hand.players))]
    if not hand.game.calls:
        found += _declared(hand)
    for turn in played.turns:
        if over := played.returned[turn.seat]:
            name, bet = hand.players[turn.seat].name, turn.bet
            text = f"{name} bet {bet + over:,} against a pot of {bet:,}."
            found.append(finding("bet-above-pot", text, name))
    if hand.took is not None:
        found += took_otherwise(hand.took, won)
    return found


def took_otherwise(took: Mapping[str, int], won: Mapping[str, int]) -> Iterator[Finding]:
    for name, right in won.items():
        told = took.get(name, 0)
        if told != right:
            yield finding("took-differs", f"{name} took {told:,} and had won {right:,}.", name)


def too_many(game: Game, players: int) -> Iterator[Finding]:
    most = game.players[1]
    if players > most:
        text = f"{players} players sit at a game for at most {most}"
        yield finding("too-many-players", text)


def _declared(hand: Hand) -> Iterator[Finding]:
    return spoke([(player.name, player.declared) for player in hand.players])


def spoke(declared: Iterable[tuple[str, str | None]]) -> Iterator[Finding]:
    """Who declared what in a game where cards speak."""
    for name, word in declared:
        if word is not None:
            text = f"{name} declared {word}, but cards speak in this game."
            yield finding("declare-ignored", text, name)


def short_stakes(
    names: Sequence[str], stakes: Sequence[int], seats: Iterable[int]
) -> Iterator[Finding]:
    """Which of these seats, all in for none of their chips, put in less than others."""
    highest = max(stakes)
    for seat in seats:
        if stakes[seat] < highest:
            text = f"{names[seat]} is in for {stakes[seat]:,} of {highest:,} and not all in."
            yield finding("stake-short", text, names[seat])


def _out_again(hand: Hand) -> Iterator[Finding]:
    in_play = {card for row in hand.board for card in row}
    for player in hand.players:
        in_play.update(player.held_down, player.up)
    for player in hand.players:
        for card in player.out:
            if card in in_play and card != UNSEEN:
                text = f"{TEXTS[card]}, thrown away by {player.name}, is in play again."
                yield finding("out-again", text, player.name)


GIVING = frozenset(("deal", "draw", "buy", "pass", "take", "swap", "extra", "push", "bid")) | {
    "hit",
    "swap hand",
}


def _not_thrown(hand: Hand) -> Iterator[Finding]:
    """Cards still held whose rank lies where they had to go; later cards may be of any rank."""
    game = hand.game
    slots = [slot for row in game.common_rows for slot in row]
    board = dict(zip(slots, (card for row in hand.common_rows for card in row), strict=False))
    due: set[int] = set()
    for step in game.steps:
        if step.verb in GIVING:
            due.clear()
        elif step.verb == "discard" and step.place and step.zone in {"", "down"}:
            due.update(board[slot] // 4 for slot in game.slots_at(step.place) if slot in board)
    for seat in hand.live:
        player = hand.players[seat]
        kept = [TEXTS[card] for card in player.down if card // 4 in due and card != UNSEEN]
        if kept:
            text = f"{player.name} still holds {' '.join(kept)}, of a rank that had to go."
            yield finding("not-thrown", text, player.name)


def _not_beating(hand: Hand, showdown: Showdown) -> Iterator[Finding]:
    """Turned cards that do not beat what they had to (docs/rulings.md 10).

    The turning goes round until one hand is left: a hand that is still in and is not the best
    should have no card left to turn, and the best must beat the card on the board.
    """
    measures = showdown.strengths[0]
    standings = {
        seat: standing(strengths.get(seat, -1) for strengths in measures) for seat in hand.live
    }
    best = max(standings.values(), default=(0, 0))
    to_beat = turned_standing(hand.game, hand.board[0]) if hand.board else NO_STANDING
    for seat, reached in standings.items():
        player = hand.players[seat]
        beaten = reached <= to_beat if reached == best else bool(player.down)
        if not player.up or not beaten:
            continue
        name = player.name
        yield finding("did-not-beat", f"{name}'s turned cards do not beat the hand before.", name)
