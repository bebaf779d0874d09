"""Check the dues of a game, and check that its match can be won."""

from collections.abc import Iterator

from rules.cards import NATURAL_CARDS
from rules.errors import Problem, bad_game, counted
from rules.game.game import Game, Range

TURN_DUES = ("against", "post", "call")
TURN_STEPS = frozenset(("ante", "deal", "burn", "shuffle"))
NOT_AGAINST_POT = frozenset(
    ("alone", "both_ways", "lost_both", "bug", "declare", "hand", "kill", "order", "points",
     "shares", "straights", "ties", "top", "unwon", "wild", "board", "lines", "betting")
)  # fmt: skip


def due_problems(game: Game) -> Iterator[Problem]:
    if game.bank and game.kill:
        yield bad_game("kill", "no card can kill a hand in a game against a bank", "kill")
    for index, due in enumerate(game.dues):
        if due.row and due.values and len(due.values) != len(game.board[due.row - 1]):
            cards = len(game.board[due.row - 1])
            yield bad_game(
                f"dues/{index}",
                f"row {due.row} has {counted(cards, 'card')}, not {len(due.values)}",
            )


def turn_problems(game: Game) -> Iterator[Problem]:
    """Check the cards of games with bets against the pot, and report keys that have no effect."""
    against = [due.word for due in game.dues if due.verb == "against"]
    beside = [due for due in game.dues if due.verb not in TURN_DUES]
    if against[:1] != ["between"]:
        for due in game.dues:
            if due.verb in {"post", "call"}:
                text = "`post` and `call` are only for `against pot between`"
                yield bad_game("dues", text, due.verb)
    if not against:
        return
    if len(against) > 1 or beside:
        text = "a game has one way to bet against the pot and no other dues"
        yield bad_game("dues", text, beside[0].verb if beside else "against")
    for key in sorted(NOT_AGAINST_POT.intersection(game.document)):
        yield bad_game(key, f"`{key}` has no effect in a game of bets against the pot", key)
    if game.match is not None and game.keeps_pot:
        yield bad_game(
            "match", "the match of a game of bets against the pot must be `until empty`", "until"
        )
    yield from _turned_problems(game, against[0])


def _turned_problems(game: Game, word: str) -> Iterator[Problem]:
    """Check that the cards of a turn are dealt instead of exchanged or earned."""
    for step in game.steps:
        if step.verb not in TURN_STEPS:
            yield bad_game(
                "deal",
                f"{step.text!r} can't be part of a game of bets against the pot",
                step.text,
            )
    if any(card >= NATURAL_CARDS for card in game.deck):
        yield bad_game("deck", "a joker can't be between two cards", "joker")
    up = {"between": Range(3, 3), "higher": Range(1, 1)}[word]
    if game.up != up or (game.down.most == 0) != (word == "between"):
        cards = {
            "between": "three cards up and none down",
            "higher": "cards down, then one card up",
        }
        yield bad_game("deal", f"a bet against the pot requires {cards[word]}")


def match_problems(game: Game) -> Iterator[Problem]:
    """Check that a match can be won and that its rules do not conflict."""
    rules = game.match
    if rules is None:
        return
    ends = [rules.until_empty, bool(rules.legs), bool(rules.lives)]
    if sum(ends) != 1:
        text = "a match must have one ending: `until empty`, `until 3 legs` or `lives 3`"
        yield bad_game("match", text, "until")
    if bool(rules.legs) != bool(rules.leg_for):
        yield bad_game(
            "match", "a match for legs requires `leg for alone` or `leg for best`", "leg"
        )
    if bool(rules.lives) != bool(rules.life_from):
        yield bad_game(
            "match", "a match for lives requires `life from worst` or `life from losers`", "life"
        )
    if rules.keeps_pot and (game.bank or not game.shares):
        yield bad_game(
            "match", "a match for legs or lives requires a share that a hand can win", "shares"
        )
