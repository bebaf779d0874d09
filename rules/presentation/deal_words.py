"""Describe the steps of a deal and the betting limits in plain sentences."""

from collections.abc import Callable, Iterator, Sequence

from rules.game.game import Betting, Due, Game, Limit, Step
from rules.presentation.hand_words import (
    bar_words,
    count_range,
    counted,
    number,
    place_words,
    spelled_ten,
)
from rules.settlement.story.words import listed, with_article
from rules.showdown.naming import card_name

DEAL_WORDS = {
    "ante": "everyone antes",
    "blinds": "the blinds are posted",
    "button-blind": "the dealer posts the blind",
    "bomb": "everyone antes",
    "bet": "a round of betting",
    "burn": "a card is burned",
    "in-or-out": "everyone declares in or out together",
    "shuffle": "the deck is shuffled",
    "remove": "a row is removed",
}
OPENERS = {
    "left": "the player next to the dealer",
    "high": "the highest card showing",
    "low": "the lowest card showing",
    "best": "the best hand showing",
    "lowest": "the lowest hand showing",
    "last": "the last player who raised",
}
LIMITS = {
    "table": "the table sets the limits",
    "no-limit": "no limit",
    "pot-limit": "up to the size of the pot",
    "half-pot": "up to half the pot",
    "small": "the small bet",
    "big": "the big bet",
    "mid": "each player puts in a bet the size of the ante (a mid), or folds",
    "none": "no betting, only the antes",
}


def step_words(game: Game, step: Step) -> str:
    if step.verb == "board":
        names = f" ({' '.join(step.slots)})" if game.names_slots else ""
        face = ", face down" if step.face_down else ""
        return f"{counted(len(step.slots), 'card')} on the board{names}{face}"
    say = STEP_WORDS.get(step.verb)
    return say(step) if say else DEAL_WORDS.get(step.verb, step.text)


def dealt_words(steps: Sequence[Step]) -> str:
    """Describe cards dealt together: `two cards down and one up to each player`."""
    parts: list[str] = []
    for step in steps:
        if step.word in LIES:
            where = LIES[step.word]
        elif step.zone in {"down", "up"}:
            where = f"face {step.zone}"
        else:
            into = step.zone.startswith("pile ")
            where = f"into {step.zone.removeprefix('pile ')}" if into else step.zone
        parts.append(f"{number(step.most) if parts else counted(step.most, 'card')} {where}")
    return f"{' and '.join(parts)} to each player"


LIES = {
    "blind": "blind (everyone but its holder sees it)",
    "unseen": "unseen (face down, and nobody looks)",
}


def _drawn(step: Step) -> str:
    zone = f" face-{step.zone} cards" if step.zone in {"down", "up"} else " cards"
    zone = zone.removesuffix("s") if step.most == 1 else zone
    return f"each player may exchange {count_range(step.least, step.most)}{zone}"


PRICES = {
    "fee": " for a fee",
    "bet": " for the price of a bet",
    "pot": " for the size of the pot",
}


def _bought(step: Step) -> str:
    price = PRICES.get(step.word, f" for {step.word}" if step.word else "")
    common = ", all the same card, turned up" if step.zone == "common" else ""
    noun = "replacement card" if step.most == 1 else "replacement cards"
    return f"each player may buy {count_range(step.least, step.most)} {noun}{price}{common}"


def _bet(step: Step) -> str:
    if step.limit and step.limit.kind in {"mid", "none"}:
        return limit_words(step.limit)
    limit = f" ({limit_words(step.limit)})" if step.limit else ""
    betting = DEAL_WORDS["bet"] + limit
    if not step.word:
        return betting
    if step.word not in OPENERS:
        return f"{betting}, which takes {bar_words(step.word)} to open"
    return f"{betting}; {OPENERS[step.word]} {'must open' if step.must else 'opens'}"


def _discarded(step: Step) -> str:
    if step.place is None:
        return f"each player discards {count_range(step.least, step.most)}, without replacement"
    which = f"a card {place_words(step.place)}"
    zone = f" that are face {step.zone}" if step.zone in {"down", "up"} else ""
    return f"all cards{zone} of the rank of {which} must be discarded, without replacement"


def _price(step: Step) -> str:
    prices = [f"{price:,}" for price in step.prices]
    if len(prices) > 1:
        return f" for {', '.join(prices)}, by its place"
    price = prices[0] if prices else f"a {step.word}" if step.word == "fee" else step.word
    return f" for {price}" if price else ""


def _passed(step: Step) -> str:
    seat = {2: "to the second player ", 3: "to the third player "}.get(step.change, "")
    return f"each player passes {counted(step.most, 'card')} {seat}{step.word}"


def _take_text(step: Step) -> str:
    may = "may take" if step.least == 0 else "takes"
    where = place_words(step.place) if step.place else ""
    cards = f"{count_range(step.least, step.most)} {where}".replace("up to one", "one")
    return f"in turn, each player {may} {cards} into the hand, {step.zone}{_price(step)}"


def _swapped(step: Step) -> str:
    where = place_words(step.place) if step.place else ""
    noun = "card" if step.most == 1 else "cards"
    cards = f"{count_range(step.least, step.most)} {noun}"
    return f"in turn, each player may swap {cards} with the cards {where}{_price(step)}"


def _swapped_hands(step: Step) -> str:
    words = (
        f"in turn, each player may swap hands with the next player to the {step.word}, and the"
        " last one may swap with the deck"
    )
    if not step.cards:
        return words
    ranks = {card_name(card).partition(" of ")[0] for card in step.cards}
    if len(ranks) > 1 or len(step.cards) == 1:
        refusing = spelled_ten(step.text.split(" unless ")[1])
    else:  # all cards of the rank refuse
        refusing = with_article(ranks.pop()) + (f" that is {step.zone}" if step.zone else "")
    return f"{words}; a player with {refusing} refuses"


def _hit(step: Step) -> str:
    cards = f"{count_range(step.least, step.most)} in all"
    stood = {1: "once", 2: "twice"}.get(step.stands) or counted(step.stands, "time")
    frozen = f"; a player who stood {stood} gets no more" if step.stands else ""
    return (
        f"round after round until all stand, each player in turn takes one card {step.zone}"
        f"{_price(step)} or stands, {cards}{frozen}; betting that follows is part of each round"
    )


def _more(step: Step) -> str:
    takes = "may take" if step.least == 0 else "takes"
    cards = count_range(step.least, step.most).replace("up to one", "one")
    return f"each player {takes} {cards} more {step.zone}{_price(step)}"


def _pushed(step: Step) -> str:
    times = f", {counted(step.most, 'time')}" if step.most > 1 else ""
    costs = f" for {step.prices[0]:,}" if step.prices else ""
    return (
        f"a card face {step.zone} is offered to each player in turn{times}; a player who refuses it"
        f" pushes it to the {step.word}{costs} and must keep the next"
    )


def _toll(step: Step) -> str:
    pays = "matches the pot" if step.word == "pot" else f"pays {int(step.word):,}"
    cards = step.text.split(" for ")[1].removesuffix(" up")
    return f"a player who is dealt a {spelled_ten(cards)} face up {pays} or folds"


def _bid(step: Step) -> str:
    if step.place:
        what = f"{' '.join(step.place.slots)} of the board, {step.zone}"
    else:
        what = "the right to act first" if step.word == "seat" else f"the choice of {step.word}"
    return f"players bid for {what}; the highest bid goes to the pot"


def _brought_in(step: Step) -> str:
    card, _, aces = step.word.partition(" ")
    return f"the {card} card showing brings it in{f', aces {aces[4:]}' if aces else ''}"


def _laid(step: Step) -> str:
    piles = (laid.split(" ") for laid in step.word.split(", "))
    cards = listed([f"{counted(int(count), 'card')} into {pile}" for pile, count in piles])
    return f"each player lays {cards}{', down or up' if step.zone == 'any' else ''}"


STEP_WORDS: dict[str, Callable[[Step], str]] = {
    "deal": lambda step: dealt_words([step]),
    "draw": _drawn,
    "buy": _bought,
    "bet": _bet,
    "discard": _discarded,
    "pass": _passed,
    "take": _take_text,
    "swap": _swapped,
    "swap hand": _swapped_hands,
    "push": _pushed,
    "toll": _toll,
    "bid": _bid,
    "declare": lambda step: (
        "everyone declares in turn, starting with the last player who raised"
        if step.word
        else "everyone declares together"
    ),
    "turn": lambda step: f"each player turns {counted(step.most, 'card')} up",
    "turn until": lambda step: (
        "players turn their cards one by one, in turn, until they beat the best hand yet"
    ),
    "earn": lambda step: "an extra card for each card that earns one",
    "extra": _more,
    "hit": _hit,
    "bring-in": _brought_in,
    "set": _laid,
    "replace": lambda step: f"{counted(step.most, 'card')} of the board are replaced",
}


def betting_words(betting: Betting) -> Iterator[str]:
    """Yield sentences about the limits of the rounds and other rules of betting."""
    limits = [limit_words(limit) for limit in betting.limits]
    if len(set(limits)) == 1:
        yield f"Betting: {limits[0]}"
    elif limits:
        yield f"Betting, round by round: {'; '.join(limits)}"
    if betting.open_pair:
        yield "As soon as a player shows a pair, the last limit applies"
    if betting.out_of_turn:
        yield (
            "A dealer's error over who opens stands once "
            f"{counted(betting.out_of_turn, 'player')} have acted; before that it is corrected"
        )


def limit_words(limit: Limit) -> str:
    if limit.kind != "spread":
        return LIMITS[limit.kind]
    if limit.least == limit.most:
        return counted(limit.most, "chip")
    return f"{number(limit.least)} to {counted(limit.most, 'chip')}"


# Describes payments made by losers and for cards, and how deals form a match.


def dues_in_words(game: Game) -> Iterator[str]:
    for due in game.dues:
        if due.verb in {"put", "take"}:
            values = ", ".join(map(str, due.values))
            by = f"{values} chips" if values else "as many chips as the card's rank"
            verb = "put in" if due.verb == "put" else "take out"
            yield f"Row {due.row}: {verb} {by} for each card of the same rank."
        elif due.verb == "bank":
            yield "The dealer is the bank, has no hand and pays if the pot runs short."
        elif due.verb == "leftover":
            where = "go to the dealer" if due.word == "dealer" else "carry over to the next hand"
            yield f"Leftover chips {where}."
        elif due.verb in TURN_WORDS:
            yield from TURN_WORDS[due.verb](due)
        else:
            most = f", at most {due.most:,}" if due.most else ""
            price = f"{due.values[0]:,}" if due.values else f"as much as the pot held{most}"
            does = f"put in {price}" if due.word == "match pot" else f"pay {price} to the winners"
            who = "Players who stayed in and lost"
            if due.under_half:
                who = "Players who stayed in and won less than half of the pot"
            yield f"{who} {does}. All-in players owe nothing more."


def _against(due: Due) -> Iterator[str]:
    wins = {
        "between": "the last card up is between the first two",
        "higher": "a card in hand is higher than the one turned up, of its suit",
    }[due.word]
    before = {"between": "two cards up", "higher": "the hand"}[due.word]
    yield f"After {before}, each player in turn bets up to the whole pot that {wins}."
    yield "A bet that wins takes as much from the pot; a bet that loses stays in it."


def _post(due: Due) -> Iterator[str]:
    pays = [
        {1: "the bet", 2: "twice the bet"}.get(number, f"{number} times the bet")
        for number in due.values
    ]
    both = f", and of both {pays[1]}" if len(pays) > 1 else ""
    yield f"A card of the same rank as one of the two costs {pays[0]}{both}."


def _call(due: Due) -> Iterator[str]:
    if due.word == "ace":
        yield "A player whose first card is an ace may call it low."
    else:
        yield "A player whose first two cards are a pair calls the next one higher or lower."


TURN_WORDS: dict[str, Callable[[Due], Iterator[str]]] = {
    "against": _against,
    "post": _post,
    "call": _call,
}


def match_in_words(game: Game) -> Iterator[str]:
    """Yield sentences about a match that consists of several deals."""
    rules = game.match
    if rules is None:
        return
    if rules.legs:
        yield f"The first player with {rules.legs} legs takes the pot."
        if "alone" in rules.leg_for:
            yield "A player who stays in alone earns a leg."
        if "best" in rules.leg_for:
            yield "If several stay in, the best hand earns a leg; a tie earns none."
    elif rules.lives:
        yield f"Everyone starts with {rules.lives} lives. The last one with a life takes the pot."
        who = (
            "The worst hand loses"
            if rules.life_from == "worst"
            else "All players who lose a deal lose"
        )
        yield f"{who} a life."
    else:
        yield "Keep dealing until the pot is gone."
    if rules.turning:
        choices = next(o.choices for o in game.options if o.name == rules.turning)
        turns = listed([choice.word for choice in choices])
        yield f"Deals rotate: {rules.turning.replace('_', ' ')} {turns}, then start over."
    if rules.same_dealer:
        yield "The same dealer deals until the match is over."
