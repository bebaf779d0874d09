"""What losers and cards make players put in, and how deals make a match, in words."""

from collections.abc import Callable, Iterator

from rules.game.game import Due, Game
from rules.settlement.story.words import listed


def dues_in_words(game: Game) -> Iterator[str]:
    for due in game.dues:
        if due.verb in {"put", "take"}:
            by = ", ".join(map(str, due.values)) if due.values else "the card's rank"
            verb = "puts in" if due.verb == "put" else "takes out"
            yield f"Row {due.row}: for each card of the same rank a player {verb} {by} chips."
        elif due.verb == "bank":
            yield "The dealer is the bank, holds no hand and pays in when the pot is short."
        elif due.verb == "leftover":
            whom = "goes to the dealer" if due.word == "dealer" else "stays for the next hand"
            yield f"What is left over {whom}."
        elif due.verb in TURN_WORDS:
            yield from TURN_WORDS[due.verb](due)
        else:
            most = f", at most {due.most:,}" if due.most else ""
            price = f"{due.values[0]:,}" if due.values else f"as much as the pot held{most}"
            does = f"put in {price}" if due.word == "match pot" else f"pay {price} to who won"
            who = "Those who stayed in and lost"
            if due.under_half:
                who = "Those who stayed in and won less than half of the pot"
            yield f"{who} {does}; who is all in owes nothing more."


def _against(due: Due) -> Iterator[str]:
    wins = {
        "between": "the last card up lies between the first two",
        "higher": "a card in hand is higher than the one turned up, of its suit",
    }[due.word]
    before = {"between": "two cards up", "higher": "the hand"}[due.word]
    yield f"After {before}, each in turn bets against the pot, up to all it holds, that {wins}."
    yield "A bet that is won takes as much from the pot; one that is lost stays in it."


def _post(due: Due) -> Iterator[str]:
    pays = [_bets(number) for number in due.values]
    both = f", as both of them {pays[1]}" if len(pays) > 1 else ""
    yield f"A card of the same rank as one of the two costs {pays[0]}{both}."


def _bets(number: int) -> str:
    return {1: "the bet", 2: "twice the bet"}.get(number, f"{number} times the bet")


def _call(due: Due) -> Iterator[str]:
    if due.word == "ace":
        yield "Whose first card is an ace may call it low."
    else:
        yield "Whose first two cards are a pair calls whether the next is higher or lower."


TURN_WORDS: dict[str, Callable[[Due], Iterator[str]]] = {
    "against": _against,
    "post": _post,
    "call": _call,
}


def match_in_words(game: Game) -> Iterator[str]:
    """How deals make a match, sentence by sentence."""
    rules = game.match
    if rules is None:
        return
    if rules.legs:
        yield f"The pot stays until somebody has {rules.legs} legs, who takes it."
        if "alone" in rules.leg_for:
            yield "Who alone stays in earns a leg."
        if "best" in rules.leg_for:
            yield "The best hand of several earns a leg; a tie earns none."
    elif rules.lives:
        yield f"Everybody begins with {rules.lives} lives; the last one with any takes the pot."
        who = "The worst hand loses" if rules.life_from == "worst" else "All who lose a deal lose"
        yield f"{who} a life."
    else:
        yield "It goes on, deal after deal, until the pot is empty."
    if rules.turning:
        choices = next(o.choices for o in game.options if o.name == rules.turning)
        turns = listed([choice.word for choice in choices])
        yield f"Deals take turns: {rules.turning.replace('_', ' ')} {turns}, and over again."
    if rules.same_dealer:
        yield "The same dealer deals until the match is over."
