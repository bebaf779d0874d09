"""The rules page of a game, and a card with a short summary for the deal.

Newcomers read the page before the game. The table uses the card during the hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from rules.cards import format_cards, rank_text
from rules.documents.choice_words import (
    choice_title,
    choices_in_words,
    either,
    option_title,
    stated_ranks,
)
from rules.game.game import Alternative, CardSet, Game, RankOf, Share, Step
from rules.presentation.deal_words import (
    DEAL_WORDS,
    betting_words,
    dealt_words,
    dues_in_words,
    match_in_words,
    step_words,
)
from rules.presentation.form import Document, game_of
from rules.presentation.hand_words import (
    SCALE_WORDS,
    WHERE,
    condition,
    order_in_words,
    pattern_words,
    points_in_words,
    scale_words,
    top_in_words,
    wild_words,
    without_board,
)
from rules.settlement.story.words import count, listed
from rules.showdown.game_scales import POINT_SCALES
from rules.showdown.naming import card_name

DECLARATIONS = {
    "high-low": "no chip for low, one for high, two for both",
    "row": "one chip for the row it lies on, no chip for the other row, two for both",
}


def rules_page(
    variant: str | Document, modified: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the page as plain JSON: name, by, source, board, lines, and sections of sentences."""
    game = game_of(variant, modified, options)
    sections = (
        ("The table", _table(game)),
        ("The deal", (f"{n}. {step}" for n, step in enumerate(steps_in_words(game), 1))),
        ("Hands", hand_in_words(game)),
        ("Wild and deadly cards" if game.kill else "Wild cards", specials_in_words(game)),
        ("The pot", _pot(game)),
        ("Declaring", _declaring(game)),
        ("House rulings", _rulings(game)),
        ("Options", _choices(game)),
    )
    return {
        "name": game.name,
        "aliases": list(game.aliases),
        "by": game.by,
        "source": game.source,
        "modifiers": list(modified),
        "board": [list(row) for row in game.board],
        "lines": [list(line) for line in game.lines],
        "sections": [
            {"title": title, "lines": sentences}
            for title, lines in sections
            if (sentences := list(lines))
        ],
    }


def as_text(page: Mapping[str, Any]) -> str:
    """Return the page as text for a terminal."""
    credit = [f"also {', '.join(page['aliases'])}"] if page["aliases"] else []
    credit += [f"by {page['by']}"] if page["by"] else []
    credit += [f"source: {page['source']}"] if page["source"] else []
    title = page["name"] + (f" + {', '.join(page['modifiers'])}" if page["modifiers"] else "")
    lines = [title, "=" * len(title), *(["; ".join(credit)] if credit else [])]
    if page["board"]:
        lines += ["", *("    " + "  ".join(row) for row in page["board"])]
    for section in page["sections"]:
        lines += ["", section["title"], *(f"  - {line}" for line in section["lines"])]
    return "\n".join(lines)


def _table(game: Game) -> Iterator[str]:
    least, most = game.players
    yield f"{least} to {most} players."
    if jokers := sum(card >= 52 for card in game.deck):
        them = "a joker" if jokers == 1 else "jokers"
        yield f"A deck of {len(game.deck)} cards, {count(jokers)} of them {them}."
    elif len(game.deck) != 52:
        yield f"A deck of {len(game.deck)} cards."
    if not game.clockwise:
        yield "Play goes counter-clockwise, from the dealer's right."
    yield from (f"{words}." for words in betting_words(game.betting))


def steps_in_words(game: Game) -> Iterator[str]:
    """Yield the steps as sentences. A betting round is joined to the step before it."""
    yield from (words for _verb, words in worded_steps(game))


def worded_steps(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the verb of each step with the sentence of `steps_in_words`."""
    sentences: list[tuple[str, str]] = []
    for group in dealt_together(game.steps):
        verb = group[0].verb
        words = dealt_words(group) if verb == "deal" else step_words(game, group[0])
        if verb == "bet" and sentences and DEAL_WORDS["bet"] not in sentences[-1][1]:
            sentences[-1] = (sentences[-1][0], f"{sentences[-1][1]}; {words}")
        else:
            sentences.append((verb, words[:1].upper() + words[1:]))
    yield from ((verb, f"{words}.") for verb, words in sentences)


def dealt_together(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Group the deal steps that come from the same string of the document."""
    for _, group in groupby(enumerate(steps), lambda s: s[1].text if s[1].verb == "deal" else s[0]):
        yield [step for _, step in group]


def hand_in_words(game: Game) -> Iterator[str]:
    if not game.shares:
        return
    own = game.hand if any(not alt.patterns for alt in _alternatives(game)) else ()
    shown = own if game.board else map(without_board, own)
    for number, pattern in enumerate(dict.fromkeys(shown)):
        words = pattern_words(pattern)
        yield f"Or {words[:1].lower()}{words[1:]}." if number else f"{words}."
    yield from order_in_words(game)
    yield from top_in_words(game)
    patterns = [*game.hand, *(p for alt in _alternatives(game) for p in alt.patterns)]
    places = [place for pattern in patterns for term in pattern.terms for place in term.places]
    if len(game.lines) > 1 and any(place.zone == "line" for place in places):
        lines = "; ".join(" ".join(line) for line in game.lines)
        yield f"The lines are: {lines}."
    if any(alt.scale in POINT_SCALES for alt in _alternatives(game)):
        yield from points_in_words(game)


def _alternatives(game: Game) -> list[Alternative]:
    return [alt for share in game.shares for alt in share.alternatives]


LOWS = frozenset(("best", "worst", "ace-to-six"))
ENDS = {
    "": "kills the hand",
    "all": "ends the deal, and the pot carries over for all players",
    "all in": "ends the deal, and the pot carries over for the players still in",
}


def specials_in_words(game: Game) -> Iterator[str]:
    for name, what in stated_ranks(game).items():
        stated = name.replace("_", " ")
        yield f"All cards of the rank entered as {stated} are {what}."
    for rules, what in ((game.wild, "wild"), (game.bug, "bugs")):
        for rule in rules:
            if isinstance(rule, CardSet) and not rule.cards & game.deck:
                continue
            share = f" for {rule.share} only" if rule.share else ""
            yield f"{wild_words(rule)} {what}{share}."
            if isinstance(rule, RankOf) and rule.which == "middle":
                yield "An ace may be high or low, so there may be two readings."
    if any(isinstance(rule, CardSet) and rule.cards & game.deck for rule in game.bug):
        scales = {alternative.scale for share in game.shares for alternative in share.alternatives}
        in_low = "" if scales.isdisjoint(LOWS) else "; in a low it is any card"
        yield f"A bug is an ace, or any card that completes a straight or a flush{in_low}."
    for killer in game.kill:
        if isinstance(killer, RankOf):
            who = f"has one {WHERE[killer.zone]}" if killer.zone else "has one"
            yield f"{wild_words(killer)} deadly: a player who {who} folds."
            continue
        cards = listed([f"the {card_name(card)}" for card in sorted(killer.cards)])
        where = WHERE.get(killer.zone, "in hand")
        yield f"{cards[:1].upper()}{cards[1:]} {where} {ENDS[killer.ends]}."
    if game.extra_cards:
        ranks = sorted({rank_text(text[0]) for text in format_cards(game.extra_cards)})
        yield f"Each {listed(ranks)} face up earns an extra card."


def _pot(game: Game) -> Iterator[str]:
    if len(game.shares) > 1:
        names = listed([share.name for share in game.shares])
        first = game.shares[0].name
        yield f"The pot is split evenly between {names}. Odd chips go to {first}."
    for share in game.shares:
        yield share_in_words(share)
    yield from dues_in_words(game)
    yield from match_in_words(game)


def share_in_words(share: Share) -> str:
    if share.neighbour:
        return (
            f"{share.name.capitalize()}: to the player on the {share.neighbour} of the winner of"
            " the first share, among the players in the pot."
        )
    measures = [scale_words(alternative) for alternative in share.alternatives]
    text = " and also ".join(measures[: share.joint])
    for measure in measures[share.joint :]:
        text += f"; if no hand qualifies, {measure}"
    if text == SCALE_WORDS["high"]:
        text = "best poker hand wins"
    return f"{share.name.capitalize()}: {text}{condition(share.tests)}."


def _ties(game: Game) -> str:
    if game.ties == "first":
        return "If hands tie, the player who stood first wins."
    if game.ties == "suit":
        return (
            "If hands tie, the one with the highest card wins, suits in the order spades, hearts, "
            "clubs, diamonds."
        )
    if game.ties == "natural":
        return "If hands tie, the one with fewer wild cards wins; otherwise they split."
    if game.ties == "deal":
        how = "; else ".join(scale_words(alternative) for alternative in game.tiebreak)
        cards = game.tiebreak_cards
        return f"If hands tie or no hand qualifies, each player gets {cards} cards face up: {how}."
    side = "left" if game.clockwise else "right"
    return f"Tied hands split. Odd chips go to the players nearest the dealer's {side}."


def _rulings(game: Game) -> Iterator[str]:
    """Yield the house rules for situations that games leave open (docs/rulings.md 1, 2, 4, 7)."""
    if not game.shares:
        return
    yield _ties(game)
    if len(game.shares) > 1:
        yield "If no hand wins a share, the other share gets it."
    if game.must_show:
        yield "The last player left must still show a hand that qualifies."
    qualify = any(share.alternatives[-1].bar for share in game.shares if share.alternatives)
    if game.unwon == "split":
        yield "If no share is won, the players in the pot split it."
    elif game.must_show or (qualify and len(game.shares) == 1) or game.declares:
        yield "If no share is won, the pot stays for the next hand."
    pot = "side pot" if game.must_show else "pot"
    yield f"If only one player can still win a {pot}, that player wins it with any hand."
    if len(game.shares) > 1:
        yield "A player may use different cards for each share."
    if game.wild or game.bug:
        yield (
            "A wild card stands for any card you don't already play. It repeats one only to make "
            "five of a kind."
        )


BEATEN = "If you fail, the player who beats or ties you takes the whole pot."
LOST_BOTH = {
    "next-best": (),
    "winner-takes-all": (BEATEN,),
    "each-keeps": (
        "If all the best hands go both ways and fail, each player keeps what they won.",
    ),
    "redeal": (
        BEATEN,
        "If that player fails too, the pot stays, and the same dealer deals the game again.",
    ),
}


def _declaring(game: Game) -> Iterator[str]:
    if not game.shares or len(game.shares) < 2:
        return
    if game.declare == "cards-speak":
        yield "Cards speak: nobody declares, and each hand wins what it can."
        options = (option for option in game.options if option.name == "declare")
        choices = {choice.text for option in options for choice in option.choices}
        for declared, meaning in DECLARATIONS.items():
            if declared in choices:
                yield f"If you declare with chips in the fist: {meaning}."
    else:
        if any(step.verb == "declare" and step.word for step in game.steps):
            yield f"Say what you declare: {either(game.share_names)}, or both."
        else:
            yield f"Declare with chips in the fist: {DECLARATIONS[game.declare]}."
        tie = "a tie loses" if game.both_ways == "outright" else "a tie is enough"
        yield f"Go both ways and you must win both; {tie}."
        yield from LOST_BOTH[game.lost_both]


FOLLOWS = (
    "The pot is split evenly",
    "Cards speak",
    "If you declare",
)  # lines with this prefix are derived from the shares in play


def _lines_of(game: Game) -> list[str]:
    """Return the lines that a choice can change.

    Rulings are omitted, because they are derived from these lines.
    """
    parts = (_table, hand_in_words, specials_in_words, _pot, _declaring)
    lines = [*steps_in_words(game), *chain.from_iterable(part(game) for part in parts)]
    return [line for line in lines if not line.startswith(FOLLOWS)]


def _choices(game: Game) -> Iterator[str]:
    for option in game.options:
        name = option_title(option.name).capitalize()
        if option.is_number:
            range_ = f"{option.least} to {option.most:,}"
            text = f"from {range_}" if option.asked else f"{range_}, default {option.default}"
        else:
            usual = "" if option.asked else " (default)"
            first, *others = [choice_title(option.name, choice.word) for choice in option.choices]
            text = either([first + usual, *others])
        yield f"{name}: {text}{', entered with the hand' if option.asked else ''}."
        if option.name not in stated_ranks(game):
            yield from choices_in_words(game, option, _lines_of)


# The kind of stage shown on the card, keyed by the verb of a step that does not deal cards.
STAGES = {
    "declare": "declare",
    "bet": "bet",
    "draw": "draw",
    "buy": "draw",
    "discard": "draw",
    "pass": "draw",
    "swap hand": "draw",
}
DECLARE = "Declare now."
SHOWDOWN = "Showdown."


def _stages(game: Game) -> list[dict[str, str]]:
    stages: list[dict[str, str]] = []
    for verb, words in worded_steps(game):
        kind = STAGES.get(verb, "deal")
        if verb == "in-or-out":
            stages.append({"kind": "declare", "text": words, "staying": "in or out"})
        elif kind != "declare":
            stages.append({"kind": kind, "text": words})
        elif "in turn" in words:
            stages.append({"kind": kind, "text": words, "order": "in turn"})
        else:
            stages.append({"kind": kind, "text": DECLARE})
    for stage in stages:
        if DEAL_WORDS["bet"] in stage["text"]:
            stage["betting"] = "in this stage"
    declared = [stage for stage in stages if stage["kind"] == "declare"]
    if game.declares and all("staying" in stage for stage in declared):
        stages.append({"kind": "declare", "text": DECLARE})
    return [*stages, {"kind": "showdown", "text": SHOWDOWN}]


def rules_card(
    variant: str | Document, modified: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the card as plain JSON. Raises GameError.

    `says` contains at most five pairs of a title and a line. `stages` go from the deal to the
    showdown, each with its `kind` (deal, bet, draw, declare, showdown) and a description. Players
    bet at a stage with `betting`, and declare whether they stay in at a stage with `staying`.
    """
    game = game_of(variant, modified, options)
    pot = [share_in_words(share) for share in game.shares]
    if len(game.shares) > 1:
        pot.append("Pot is split evenly.")
    pot += [*dues_in_words(game), *match_in_words(game)]
    declare: list[str] = []
    if game.declares and len(game.shares) > 1:
        tie = "a tie loses" if game.both_ways == "outright" else "a tie is enough"
        declare = [
            f"{' or '.join(game.share_names)}, or both.".capitalize(),
            f"Declare both and you must win both; {tie}.",
            *LOST_BOTH[game.lost_both],
        ]
    parts = (
        ("Wild", specials_in_words(game)),
        ("Hand", hand_in_words(game)),
        ("Pot", pot),
        ("Declare", declare),
    )
    return {
        "name": game.name,
        "board": [list(row) for row in game.board],
        "lines": [list(line) for line in game.lines],
        "says": [[title, line] for title, lines in parts if (line := " ".join(lines))],
        "stages": _stages(game),
    }
