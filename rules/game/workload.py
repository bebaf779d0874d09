"""Estimates of the work that a game requires, calculated before the work starts.

Work may grow faster than the text of a document, because options multiply, patterns combine with
lines, and wild cards have several readings. Each function calculates one of these factors and
reports values above its limit. All limits are defined here. No real game comes near a limit. The
comment at each limit ends with the maximum in the catalog, including modifiers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from rules.errors import Problem, bad_game
from rules.game.game import Alternative, Game, Option, RankOf
from rules.game.grammar import PLACEHOLDER
from rules.game.shape import LISTS, TABLES, TEXTS, own_options

MOST_CHARACTERS = 16_000  # characters in a document: 1,803
MOST_WAYS = 256  # combinations of options in a document: 24
MOST_WORDS = 20_000  # words parsed for all combinations of options: 3,606
MOST_ITEM = 400  # characters of one string with the choices inserted: 90
MOST_ROWS, MOST_SLOTS = 12, 40  # rows and slots of a board: 5, 20
MOST_PILES = 12  # piles of a player: 3
MOST_HELD = 60  # cards held by a player: 15
MOST_MEASURES = 12  # measures of all shares including `else`, or of a tie-break: 3
MOST_MEASUREMENTS = (
    1_500  # measures times patterns times lines, for all combinations of options: 384
)
MOST_READINGS = 16  # number of possible wild card readings in one hand: 3
MOST_COMBINATIONS = 5_000  # combinations of cards per hand, across all readings: 3,072
# Limits for all-ins. If strengths decide, there are two limits. One is on the evaluated
# combinations (53 million before the first of five cards with two of four own cards, high and low).
# The other is on the standings, each of which is settled (4,971 for ten players with two cards).
# Otherwise, the limit is the number of boards, which are settled one by one.
MOST_LOOKED_AT = 200_000_000
MOST_WAYS_TO_STAND = 10_000
MOST_BOARDS = 2_000
MOST_STANDINGS = 50_000  # players times actions in a history; real hands have up to 1,000
MOST_DOCUMENT_PROBLEMS = 20  # maximum number of problems reported per document
MOST_PROBLEMS = 200  # maximum number of problems reported per record

TOO_MUCH = "too much work"
SAYS_SO = re.compile(rf"(?:[^ ]*: )?{TOO_MUCH}: ")
FITTING_ALL = ("both_ways", "lost_both")  # keys whose words are compatible with all other words
# lists in which duplicates have no effect
SETS = ("lines", "hand", "wild", "bug", "kill", "shares")

Document = Mapping[str, Any]


def reports_too_much(text: str) -> bool:
    """Return whether a problem reports too much work. Its text may include the location."""
    return bool(SAYS_SO.match(text))


# --- limits of a document, before parsing ---------------------------------------------------------


def of_document(document: Document) -> list[Problem]:
    """Return the limits that a document exceeds. Its shape must have been checked."""
    problems = []
    texts = list(_texts(document))
    if (count := sum(len(text) for _, text in texts)) > MOST_CHARACTERS:
        reason = f"the document has {count} characters; at most {MOST_CHARACTERS} are allowed"
        problems.append(_problem("", reason))
    separate = separate_options(document)
    options = [option for option in own_options(document) if option not in separate.values()]
    if (count := count_ways(options)) > MOST_WAYS:
        named = ", ".join(f"`{option.name}`" for option in options)
        reason = f"{named} have {count} combinations; at most {MOST_WAYS} are allowed"
        problems.append(_problem("options", reason))
    # count the words for all combinations of options, with the longest choice in each place
    longest = {
        option.name: max((choice.text for choice in option.choices), key=len, default="1")
        for option in own_options(document)
    }
    words, ways = 0, count_ways(named_options(document))
    for where, text in texts:
        put_in = [longest.get(name, "") for name in PLACEHOLDER.findall(text)]
        if len(text) + sum(map(len, put_in)) > MOST_ITEM:
            reason = f"with its choices the text is longer than {MOST_ITEM} characters"
            problems.append(_problem(where, reason))
        words += len(text.split()) + sum(len(choice.split()) for choice in put_in)
    if words * ways > MOST_WORDS:
        named = f"all {ways} combinations of options together" if ways > 1 else "the document"
        reason = f"{named} must have at most {MOST_WORDS} words, not {words * ways}"
        problems.append(_problem("options" if ways > 1 else "", reason))
    return problems


def count_ways(options: Iterable[Option]) -> int:
    return prod(len(values(option)) for option in options)


def named_options(document: Document) -> list[Option]:
    """Return the options whose choices are checked in all combinations.

    Options that the document doesn't use have no effect. Separate options are checked one by one.
    """
    named = _named(document)
    return [option for option in own_options(document) if option.name in named]


def separate_options(document: Document) -> dict[str, Option]:
    """Return options whose words are compatible with all other words, keyed by document key."""
    named = _named(document)
    options = {option.name: option for option in own_options(document)}
    placed = {key: PLACEHOLDER.fullmatch(str(document.get(key, ""))) for key in FITTING_ALL}
    return {
        key: options[match[1]]
        for key, match in placed.items()
        if match and match[1] in options and match[1] not in named
    }


def _named(document: Document) -> set[str]:
    """Return the options and words in a document, except words compatible with all others."""
    named: set[str] = set()
    for where, text in _texts(document):
        if where not in FITTING_ALL or not PLACEHOLDER.fullmatch(text):
            named.update(text.split(), PLACEHOLDER.findall(text))
    return named


def values(option: Option) -> list[str | int]:
    """Return the choices of an option to check. For a number these are the lowest and highest."""
    if option.is_number:
        return sorted({option.least, option.most})
    return list(dict.fromkeys(choice.word for choice in option.choices))


def _texts(document: Document) -> Iterator[tuple[str, str]]:
    """Yield every parsed string of a document with its location."""
    yield from ((key, document[key]) for key in TEXTS if key in document)
    for key in LISTS:
        yield from ((f"{key}/{at}", text) for at, text in enumerate(document.get(key, ())))


# --- repeated texts ----------------------------------------------------------------------------


def repeats(document: Document) -> Iterator[Problem]:
    """Yield a problem for each string that repeats another string without any effect."""
    for key in SETS:
        yield from _repeated(
            key,
            [
                text.partition(":")[2] or text if key == "shares" else text
                for text in document.get(key, ())
            ],
        )
    for table in TABLES:
        for name, choices in document.get(table, {}).items():
            yield from _repeated(f"{table}/{name}", [text.partition("=")[0] for text in choices])


def _repeated(where: str, texts: Sequence[str]) -> Iterator[Problem]:
    plain_texts = [" ".join(text.split()) for text in texts]
    for text, count in Counter(plain_texts).items():
        if count > 1:
            again = plain_texts.index(text, plain_texts.index(text) + 1)
            yield bad_game(
                f"{where}/{again}", f"`{text}` is given {count} times; once is enough", text
            )


# --- limits of a game, before its hands are computed ----------------------------------------------


def of_game(game: Game) -> list[Problem]:
    """Return the limits that a game exceeds, apart from the number of hands."""
    problems = []
    cards = game.down.most + game.up.most + sum(game.pile_cards.values())
    if cards > MOST_HELD:
        problems.append(
            _problem("deal", f"a player can hold {cards} cards; at most {MOST_HELD} are allowed")
        )
    for where, count in (("shares", len(measures(game))), ("ties", len(game.tiebreak))):
        if count > MOST_MEASURES:
            reason = f"the game has {count} measures; at most {MOST_MEASURES} are allowed"
            problems.append(_problem(where, reason, "else"))
    if (count := count_measurements(game)) > MOST_MEASUREMENTS:
        named = "measures, hands and lines"
        reason = f"the {named} have {count} combinations; at most {MOST_MEASUREMENTS} are allowed"
        problems.append(_problem("hand", reason, "line"))
    if (count := readings(game)) > MOST_READINGS:
        [(text, times)] = Counter(rule.text for rule in _middles(game)).most_common(1)
        repetition = f"`{text}` {times} times" if times > 1 else f"`{text}` with the others"
        reason = f"{repetition} has {count} readings; at most {MOST_READINGS} are allowed"
        problems.append(_problem("wild" if game.wild else "bug", reason, text))
    return problems


def measures(game: Game) -> list[Alternative]:
    return [alternative for share in game.shares for alternative in share.alternatives]


def count_measurements(game: Game) -> int:
    """Return the number of combinations of a measure, a pattern and a line."""
    count = 0
    for measure in measures(game):
        for pattern in measure.patterns or game.hand:
            places = (place for term in pattern.terms for place in term.places)
            on_any_line = any(place.zone == "line" and not place.number for place in places)
            count += len(game.lines) if on_any_line and not measure.line else 1
    return count


def readings(game: Game) -> int:
    """Return the maximum number of readings that the wild cards of one hand can have."""
    return prod(_middle_ranks(_cards_at(game, rule)) for rule in _middles(game))


def _middles(game: Game) -> list[RankOf]:
    rules = (*game.wild, *game.bug)
    return [rule for rule in rules if isinstance(rule, RankOf) and rule.which == "middle"]


def _cards_at(game: Game, rule: RankOf) -> int:
    """Return the maximum number of cards in the place that a rule refers to."""
    place = rule.place
    own = {"down": game.down.most, "up": game.up.most, "pile": game.pile_cards.get(place.pile, 0)}
    own["own"] = sum((game.down.most, game.up.most, *game.pile_cards.values()))
    rows = {"row": game.board, "line": game.lines}.get(place.zone, ())
    if place.zone == "board":
        return sum(map(len, game.board))
    if rows:
        return len(rows[place.number - 1]) if 1 <= place.number <= len(rows) else 0
    return own.get(place.zone, len(place.slots))


def _middle_ranks(cards: int) -> int:
    """Return how many ranks can be the middle one if each ace may be high or low."""
    counts = [1]
    for aces in range(1, min(cards, 4) + 1):
        others = list(range(cards - aces))
        ends = ([*[-1] * low, *others, *[-1] * (aces - low)] for low in range(aces + 1))
        counts.append(len({ranks[cards // 2] for ranks in ends}))
    return max(counts)


# --- limits of hands, before they are enumerated --------------------------------------------------


def of_combinations(game: Game, counted: int) -> list[Problem]:
    """Check the combinations of cards across all readings. `counted` is the number per reading."""
    ways = readings(game)
    if counted * ways <= MOST_COMBINATIONS:
        return []
    read = f" in {ways} readings" if ways > 1 else ""
    reason = (
        f"a hand has {counted} combinations of cards{read}; at most {MOST_COMBINATIONS} are "
        "allowed, so use fewer cards"
    )
    return [_problem("hand", reason)]


def of_ways(looked: int) -> list[Problem]:
    """Check the number of evaluated patterns across all combinations of options."""
    if looked <= MOST_MEASUREMENTS:
        return []
    reason = (
        f"hands and lines have at least {looked} combinations over all options; "
        f"at most {MOST_MEASUREMENTS} are allowed"
    )
    return [_problem("options", reason)]


# --- limits of a history --------------------------------------------------------------------------


def of_history(players: int, actions: object) -> str:
    """Return why a history is too long. A replay takes as many steps as players times actions."""
    count = players * len(actions) if isinstance(actions, list | tuple) else 0
    if count <= MOST_STANDINGS:
        return ""
    product = f"{players} players times {count // players} actions"
    return _too_much(f"{product} are {count}; at most {MOST_STANDINGS} are allowed")


def _problem(where: str, reason: str, word: str = "") -> Problem:
    return bad_game(where, _too_much(reason), word)


def _too_much(reason: str) -> str:
    return f"{TOO_MUCH}: {reason}"
