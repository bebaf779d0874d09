"""Findings: deviations from the rules, or suspicious records (docs/record.md, "Findings").

They never change the settlement.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from rules.cards import TEXTS, UNSEEN, sign
from rules.game.hand import Hand
from rules.settlement.awards import Awards
from rules.settlement.house import Banking, PotTurns
from rules.showdown.evaluation import NO_STRENGTH, measured_strength, turned_strength
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
    game, players = hand.game, hand.players
    findings = [*_wrong_payments(hand, won), *_too_many(hand)]
    if not game.declares and {*map(DECLARED, players)} != SILENT:
        findings += _declared(hand)
    stakes = [player.paid - player.dead for player in players]
    if min(stakes) < max(stakes):
        for seat in hand.live:
            if stakes[seat] < max(stakes) and not players[seat].all_in:
                name = players[seat].name
                text = f"{name} put in {stakes[seat]:,} of {max(stakes):,} and is not all in"
                findings.append(finding("stake-short", text, name))
    if game.loses_cards:
        findings += _not_thrown(hand)
    if any(map(THROWN, players)):
        findings += _out_again(hand)
    if awards.unbroken:
        text = "Tie: no tie-break entered, so the pot was split"
        findings.append(finding("tie-not-broken", text))
    for seats in awards.unordered:
        names = " and ".join(players[seat].name for seat in seats)
        text = f"{names} turned equal hands. The one nearest the dealer's left counts"
        findings.append(finding("order-unknown", text))
    if game.turned is not None and showdown.strengths:
        findings += _not_beating(hand, showdown)
    return findings


def of_runs(
    hand: Hand, won: Mapping[str, int], of_each: Sequence[Sequence[Finding]]
) -> list[Finding]:
    """Return the findings of all runs, without duplicates. `took` is compared with the total."""
    findings = [*_wrong_payments(hand, won)]
    for run_findings in of_each:
        findings += [each for each in run_findings if each not in findings]
    return findings


def of_banking(hand: Hand, banking: Banking) -> list[Finding]:
    findings = [*_too_many(hand), *_declared(hand)]
    for seat, player in enumerate(hand.players):
        paid = banking.paid[seat]
        if player.paid_told and player.paid != paid:
            text = f"{player.name} put in {player.paid:,}, but the cards require {paid:,}"
            findings.append(finding("put-differs", text, player.name))
    for seat, player in enumerate(hand.players):
        name, won = player.name, banking.won[seat]
        if hand.took and name in hand.took and hand.took[name] != won:
            took = hand.took[name]
            text = (
                f"{name} took {took:,}, but the cards give {won:,}{_correction(name, won - took)}"
            )
            findings.append(finding("took-differs", text, name))
    return findings


def of_turns(hand: Hand, won: Mapping[str, int], played: PotTurns) -> list[Finding]:
    """Report findings about bets against the pot: wrong calls, bets above the pot, chips taken."""
    findings = [*_too_many(hand)]
    if not hand.game.calls:
        findings += _declared(hand)
    for turn in played.turns:
        if over := played.returned[turn.seat]:
            name, bet = hand.players[turn.seat].name, turn.bet
            text = f"{name} bet {bet + over:,}, but the pot had only {bet:,}"
            findings.append(finding("bet-above-pot", text, name))
    return [*findings, *_wrong_payments(hand, won)]


def _wrong_payments(hand: Hand, won: Mapping[str, int]) -> Iterator[Finding]:
    if hand.took is not None:
        for name, right in won.items():
            took = hand.took.get(name, 0)
            if took != right:
                text = f"{name} took {took:,}, but won {right:,}{_correction(name, right - took)}"
                yield finding("took-differs", text, name)


def _correction(name: str, chips: int) -> str:
    """State the chips that a player still gets or gives back if the table paid differently."""
    return f": {name} gets {chips:,} more" if chips > 0 else f": {name} gives back {-chips:,}"


def _too_many(hand: Hand) -> Iterator[Finding]:
    most = hand.game.players[1]
    if len(hand.players) > most:
        text = f"the hand has {len(hand.players)} players, but the game allows {most}"
        yield finding("too-many-players", text)


def _declared(hand: Hand) -> Iterator[Finding]:
    """Report players who declared in a game where cards speak."""
    for player in hand.players:
        if player.declared is not None:
            text = f"{player.name} declared {player.declared}, but cards speak in this game"
            yield finding("declare-ignored", text, player.name)


def _out_again(hand: Hand) -> Iterator[Finding]:
    in_play = {card for row in hand.board for card in row}
    for player in hand.players:
        in_play.update(player.held_down, player.up)
    for player in hand.players:
        for card in player.out:
            if card in in_play and card != UNSEEN:
                text = f"{player.name} discarded {sign(TEXTS[card])}, which is in play again"
                yield finding("out-again", text, player.name)


GIVING = frozenset(("deal", "draw", "buy", "pass", "take", "swap", "extra", "push", "bid")) | {
    "hit",
    "swap hand",
}


def _not_thrown(hand: Hand) -> Iterator[Finding]:
    """Report cards that a player had to discard by rank but kept. Cards dealt later don't count."""
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
        cards = [sign(TEXTS[card]) for card in player.down if card // 4 in due and card != UNSEEN]
        if cards:
            text = f"{player.name} still holds {' '.join(cards)}, which had to be discarded"
            yield finding("not-thrown", text, player.name)


def _not_beating(hand: Hand, showdown: Showdown) -> Iterator[Finding]:
    """Report turned cards that do not beat the previous hand (docs/rulings.md 10).

    Players turn cards until one hand is left. Every other hand should have no card left to turn,
    and the best hand must beat the card on the board.
    """
    measures = showdown.strengths[0]
    standings = {
        seat: measured_strength(strengths.get(seat, -1) for strengths in measures)
        for seat in hand.live
    }
    best = max(standings.values(), default=(0, 0))
    to_beat = turned_strength(hand.game, hand.board[0]) if hand.board else NO_STRENGTH
    for seat, reached in standings.items():
        player = hand.players[seat]
        name, left = player.name, len(player.down)
        if not player.up:
            continue
        if reached == best and reached <= to_beat:
            text = f"{name}'s turned cards do not beat the card on the board"
            yield finding("did-not-beat", text, name)
        elif reached < best and left:
            cards = "a card" if left == 1 else f"{left} cards"
            text = f"{name} was beaten with {cards} still face down"
            yield finding("did-not-beat", text, name)
