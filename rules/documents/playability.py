"""Whether a game can be played at all: places exist, hands can be made, the deck suffices."""

from collections.abc import Iterator
from itertools import product

from rules.cards import NATURAL_CARDS
from rules.errors import Problem, bad_game
from rules.game.game import Alternative, Bar, CardsAre, CardSet, Game, Pattern, Place, RankOf, Step
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.game.workload import of_combinations, of_game
from rules.game.zones import Zones, count_step
from rules.ranking import FOUR_FLUSH
from rules.showdown.scales import MOST_SINGLES, POINT_SCALES, count_values
from rules.showdown.selections import Shape, sizes


def problems(game: Game) -> list[Problem]:
    found = [*_board_problems(game), *_place_problems(game)]
    if found := found or of_game(game):
        return found
    return [
        *_deal_problems(game),
        *_hand_problems(game),
        *_share_problems(game),
        *_due_problems(game),
        *_wild_problems(game),
    ]


def shapes(game: Game) -> list[Shape]:
    """The fewest and the most cards a player may end with, in every combination of zones."""
    piles = tuple(game.pile_cards.values())
    if game.turned is not None:
        return [Shape(game.turned - up, up, piles) for up in (1, game.turned)]
    ends = product({game.down.least, game.down.most}, {game.up.least, game.up.most})
    return [Shape(down, up, piles) for down, up in sorted(ends)]


# --- the board ----------------------------------------------------------------------------------


def _board_problems(game: Game) -> Iterator[Problem]:
    slots = [slot for row in game.board for slot in row]
    dealt: set[str] = set()
    for step in game.steps:
        if step.verb == "board":
            for slot in step.slots:
                if slot in dealt:
                    yield bad_game("deal", f"slot {slot} is dealt twice", slot)
            dealt |= set(step.slots)
    for slot in slots:
        if slot not in dealt:
            yield bad_game("deal", f"slot {slot} of the board is never dealt", slot)


def _deal_problems(game: Game) -> Iterator[Problem]:
    """Nobody can part with more cards than are held; cards thrown away may be dealt again, but
    those held together must all come from one deck."""
    hands = game.players[1] - (1 if game.bank else 0)
    held, common, needed = Zones(), 0, 0
    for step in game.steps:
        if step.verb in PARTING and step.most > _partable(held, step):
            cards = _partable(held, step)
            yield bad_game(
                "deal", f"{step.text!r}: no more than {cards} cards are held there", step.text
            )
        count_step(held, step)
        common += len(step.slots)
        needed = max(needed, held.together * hands + common + len(held.extra_cards))
    if needed > len(game.deck):
        reason = f"{game.players[1]} players need {needed} cards, the deck has {len(game.deck)}"
        yield bad_game("players", reason)


PARTING = {"discard", "draw", "buy", "pass", "turn", "set"}


def _partable(held: Zones, step: Step) -> int:
    """The most cards that a player may hold where a step takes some away."""
    zones = {"any": ("down", "up"), "up": ("up",)}.get(step.zone, ("down",))
    return sum(held.most[zone] for zone in (("down",) if step.verb == "turn" else zones))


# --- places -------------------------------------------------------------------------------------


def _patterns(game: Game) -> Iterator[tuple[str, Pattern]]:
    for index, pattern in enumerate(game.hand):
        yield f"hand/{index}", pattern
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            for pattern in alternative.patterns:
                yield f"shares/{index}", pattern


def _tests(game: Game) -> Iterator[tuple[str, CardsAre]]:
    for where, pattern in _patterns(game):
        yield from ((where, test) for test in pattern.tests)
    for index, share in enumerate(game.shares):
        yield from ((f"shares/{index}", test) for test in share.tests)


def _places(game: Game) -> Iterator[tuple[str, Place]]:
    if game.shares:
        for where, pattern in _patterns(game):
            yield from ((where, place) for term in pattern.terms for place in term.places)
    for where, test in _tests(game):
        yield where, test.place
    for key, rules in (("wild", game.wild), ("bug", game.bug)):
        for index, rule in enumerate(rules):
            if isinstance(rule, RankOf):
                yield f"{key}/{index}", rule.place


def _place_problems(game: Game) -> Iterator[Problem]:
    uses_any_five = all(pattern.text == "any 5" for pattern in game.hand)
    for where, place in _places(game):
        if where.startswith("hand") and uses_any_five:
            continue
        if reason := _missing(game, place):
            yield bad_game(where, reason, place.zone)
    for index, due in enumerate(game.dues):
        if due.row > len(game.board):
            yield bad_game(f"dues/{index}", f"the board has no row {due.row}", str(due.row))
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            if alternative.line > len(game.lines):
                yield bad_game(f"shares/{index}", f"there is no line {alternative.line}", "line")


def _missing(game: Game, place: Place) -> str:
    """Why a place can never hold a card, or nothing."""
    match place.zone:
        case "down":
            return "" if game.down.most else "the deal gives no cards down"
        case "up":
            return "" if game.up.most else "the deal gives no cards up"
        case "board":
            return "" if game.board else "the game has no board"
        case "row":
            return "" if 1 <= place.number <= len(game.board) else f"there is no row {place.number}"
        case "line":
            exists = game.lines and place.number <= len(game.lines)
            return "" if exists else "the board has no such line"
        case _:
            return ""


# --- hands --------------------------------------------------------------------------------------


def _measured(game: Game, alternative: Alternative) -> tuple[Pattern, ...]:
    return alternative.patterns or game.hand


def _hand_problems(game: Game) -> Iterator[Problem]:
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            where = f"shares/{index}" if alternative.patterns else "hand"
            yield from _size_problems(game, alternative, where)
    yield from of_combinations(game, _combinations(game))


def _combinations(game: Game) -> int:
    """The most combinations that a hand of the game is measured on."""
    alternatives = [a for share in game.shares for a in share.alternatives]
    return max(sum(count_values(game, a, shape) for a in alternatives) for shape in shapes(game))


def _size_problems(game: Game, alternative: Alternative, where: str) -> Iterator[Problem]:
    patterns = _measured(game, alternative)
    for pattern in patterns:
        made = [sizes(game, (pattern,), alternative.line, shape) for shape in shapes(game)]
        if not any(made):
            yield bad_game(
                where, f"no hand of {pattern.text!r} can be made of what is dealt", pattern.text
            )
            return
        if reason := _wrong_size(alternative, set().union(*made)):
            yield bad_game(where, reason, pattern.text)
            return
    for shape in shapes(game):
        if not sizes(game, patterns, alternative.line, shape):
            cards = f"{shape.down} down and {shape.up} up"
            yield bad_game(where, f"with {cards} no hand can be made")
            return


def _wrong_size(alternative: Alternative, made: set[int]) -> str:
    if alternative.scale in TABLE_SCALES and max(made) > 5:
        return f"{alternative.scale} compares at most five cards, the pattern plays {max(made)}"
    if alternative.scale in {"highest", "lowest"} and max(made) > MOST_SINGLES:
        return f"at most {MOST_SINGLES} single cards are compared"
    return ""


# --- shares, dues, wild cards -------------------------------------------------------------------


def _share_problems(game: Game) -> Iterator[Problem]:
    if not game.shares and not game.dues:
        yield bad_game("shares", "no share is played under these options")
    names = [share.name for share in game.shares]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield bad_game(f"shares/{index}", f"two shares are called {name!r}", name)
        if name == "both" or not name:
            yield bad_game(f"shares/{index}", "a share needs a name other than 'both'", name)
    if game.declares and len(game.shares) < 2:
        yield bad_game("declare", "with one share there is nothing to declare")
    yield from _order_problems(game)
    yield from _bar_problems(game)
    yield from _joker_problems(game)


def _bar_problems(game: Game) -> Iterator[Problem]:
    """A bar says something only on a scale that can reach it."""
    measured = [
        (f"shares/{n}", a) for n, share in enumerate(game.shares) for a in share.alternatives
    ]
    for where, alternative in [*measured, *(("ties", a) for a in game.tiebreak)]:
        bar = alternative.bar
        if bar is not None and not _reachable(game, alternative.scale, bar):
            yield bad_game(where, f"{alternative.scale} has no {bar.text}", bar.text)


def _reachable(game: Game, scale: str, bar: Bar) -> bool:
    if scale in TABLE_SCALES:
        return bar.category in game.order
    if scale in BADUGI_SCALES:
        return bar.category == "cards"
    return scale in POINT_SCALES and (bar.category == "number" or bar.number > 0)


def _joker_problems(game: Game) -> Iterator[Problem]:
    """A joker is a poker hand's card only when it is wild."""
    jokers = {card for card in game.deck if card >= NATURAL_CARDS}
    for rule in (*game.wild, *game.bug):
        if isinstance(rule, CardSet):
            jokers -= rule.cards
    tables = [a.scale for s in game.shares for a in s.alternatives if a.scale in TABLE_SCALES]
    if jokers and tables:
        yield bad_game(
            "deck", f"jokers that are not wild have no place in a {tables[0]} hand", "joker"
        )


def _order_problems(game: Game) -> Iterator[Problem]:
    if FOUR_FLUSH in game.order and (game.wild or game.bug):
        yield bad_game("order", "a four-flush can't be ranked beside wild cards", FOUR_FLUSH)
    if game.order[0] != "high-card" and (game.wild or game.bug):
        yield bad_game("order", "beside wild cards nothing ranks below a high card", "high-card")


def _due_problems(game: Game) -> Iterator[Problem]:
    for index, due in enumerate(game.dues):
        if due.row and due.values and len(due.values) != len(game.board[due.row - 1]):
            cards = len(game.board[due.row - 1])
            yield bad_game(
                f"dues/{index}", f"row {due.row} has {cards} cards, not {len(due.values)}"
            )


def _wild_problems(game: Game) -> Iterator[Problem]:
    for index, rule in enumerate(game.wild):
        if isinstance(rule, RankOf) and rule.which == "middle":
            counts = {game.down.least % 2, game.down.most % 2}
            if rule.place.zone == "down" and counts != {1}:
                yield bad_game(
                    f"wild/{index}", "only an odd number of cards has a middle one", "middle"
                )
