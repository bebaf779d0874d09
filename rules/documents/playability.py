"""Check that a game can be played: its places exist, and its deck is large enough for its hands."""

from collections.abc import Iterable, Iterator
from itertools import product

from rules.cards import NATURAL_CARDS
from rules.documents.chip_rules import due_problems, match_problems, turn_problems
from rules.errors import Problem, bad_game
from rules.game.builder import Zones, count_step
from rules.game.game import (
    Alternative,
    CardOf,
    CardsAre,
    CardSet,
    Game,
    Pattern,
    Place,
    RankOf,
    Step,
)
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.game.workload import MOST_COMBINATIONS, of_combinations, of_game
from rules.ranking import FOUR_FLUSH, FULL_HAND, LONG_KINDS, LONG_SIZES, REVERSED
from rules.showdown.game_scales import POINT_SCALES, count_values, scale_of
from rules.showdown.measures import MOST_SINGLES
from rules.showdown.selections import Shape, count_choices, selections, sizes

# Checks of the deal: slots exist, players hold the cards that they give up, and the deck has enough
# cards.


def board_problems(game: Game) -> Iterator[Problem]:
    slots = [slot for row in game.board for slot in row]
    dealt: set[str] = set()
    for step in game.steps:
        if step.verb == "board":
            for slot in step.slots:
                if slot in dealt:
                    yield bad_game("deal", f"slot {slot} is dealt twice", slot)
                elif slot not in slots:
                    yield bad_game("deal", f"{step.text!r}: {is_away(slot)}", slot)
            dealt |= set(step.slots)
    for line in game.lines:
        yield from (bad_game("lines", is_away(slot), slot) for slot in line if slot not in slots)
    for slot in slots:
        if slot not in dealt:
            yield bad_game("deal", f"slot {slot} of the board is never dealt", slot)


def is_away(slot: str) -> str:
    return f"under these options the board has no slot {slot}"


def deal_problems(game: Game) -> Iterator[Problem]:
    """Check that players hold the cards that they give up and that the deck is large enough.

    Discards may be dealt again, but all cards held at once must come from one deck.
    """
    hands = game.players[1] - (1 if game.bank else 0)
    held, common, taken, needed = Zones(), 0, 0, 0
    for step in game.steps:
        if step.verb == "set":  # cards set into piles leave the hand
            parted = sum(int(laid.split(" ")[1]) for laid in step.word.split(", "))
        else:  # a whole hand has at least one card
            parted = max(step.most, step.verb == "swap hand")
        if step.verb in PARTING and parted > _partable(held, step):
            cards = _partable(held, step)
            yield bad_game(
                "deal",
                f"{step.text!r} needs more cards than the {cards} that a player can hold there",
                step.text,
            )
        count_step(held, step)
        common += len(step.slots)
        if step.verb == "take":
            taken += step.most
        elif step.verb == "bid" and step.place:
            taken += len(step.place.slots)
        own = held.together - taken
        needed = max(needed, own * hands + common + len(held.extra_cards))
    if needed > len(game.deck):
        reason = f"{game.players[1]} players need {needed} cards, but the deck has {len(game.deck)}"
        yield bad_game("players", reason)


def table_problems(game: Game) -> Iterator[Problem]:
    """Check that rows have enough cards for players to take, and one price per row or per card."""
    dealt: set[str] = set()
    for step in game.steps:
        dealt |= set(step.slots)
        if step.verb in NOT_WHILE_TURNING and (game.bank or game.turned is not None):
            what = "a bank" if game.bank else "cards turned one by one"
            yield bad_game("deal", f"{step.text!r} can't be combined with {what}", step.text)
        if step.place is None:
            continue
        if not dealt.issuperset(game.slots_at(step.place)):
            yield bad_game("deal", f"{step.text!r} uses cards that are not dealt before", step.text)
        if step.verb not in {"take", "swap"}:
            continue
        row = game.slots_at(step.place)
        wanted = step.least * game.players[1] if step.verb == "take" else step.most
        if max(wanted, step.most) > len(row):
            reason = f"{step.text!r} needs {max(wanted, step.most)} cards"
            yield bad_game("deal", f"{reason}, but the row has {len(row)}", step.text)
        if len(step.prices) not in {0, 1, len(row)}:
            reason = f"{step.text!r} needs one price, or {len(row)} for the cards of the row"
            yield bad_game("deal", reason, step.text)


NOT_WHILE_TURNING = {"take", "swap", "swap hand", "extra", "hit", "toll", "push", "bid"}
PARTING = {"discard", "draw", "buy", "pass", "swap", "swap hand", "turn", "set"}
FROM_DOWN = {"swap hand", "turn"}


def _partable(held: Zones, step: Step) -> int:
    """Return the maximum number of cards a player may hold in the zones a step removes from."""
    zones = {"any": ("down", "up"), "up": ("up",)}.get(step.zone, ("down",))
    return sum(held.most[zone] for zone in (("down",) if step.verb in FROM_DOWN else zones))


# Checks of shares measured on the cards that the previous share's hand leaves unused.


UNUSED = "unused"


def unused_problems(
    game: Game, places: Iterable[tuple[str, Place]], tests: Iterable[tuple[str, CardsAre]]
) -> Iterator[Problem]:
    """Check the use of unused cards.

    They must come from one hand with one reading of the wild cards, and only a share may be
    measured on them.
    """
    named = [(where, place) for where, place in places if not where.startswith("shares")]
    named += [(where, test.place) for where, test in tests]
    measured = [
        (f"shares/{at}", a) for at, share in enumerate(game.shares) for a in share.alternatives
    ]
    rules = (*game.wild, *game.bug)
    for where, alternative in measured:
        terms = (term for pattern in alternative.beating for term in pattern.terms)
        named += [(where, place) for term in terms for place in term.places]
        if not alternative.plays_unused:
            continue
        if alternative.after is None:
            text = "the share before must have one measure, so that its unused cards are known"
            yield bad_game(where, text, UNUSED)
        elif alternative.after.scale in BADUGI_SCALES:
            yield bad_game(where, "the unused cards of a badugi are ambiguous", UNUSED)
        if any(rule.share for rule in rules):
            text = "unused cards can't be combined with cards that are wild for one share"
            yield bad_game(where, text, UNUSED)
        if any(isinstance(rule, RankOf) and rule.which == "middle" for rule in rules):
            text = "unused cards can't be combined with a middle rank, which has two readings"
            yield bad_game(where, text, UNUSED)
    for where, place in named:
        if place.zone == UNUSED:
            yield bad_game(where, "only a share can be measured on unused cards", UNUSED)


def hand_sizes(
    game: Game, alternative: Alternative, patterns: tuple[Pattern, ...], shape: Shape
) -> set[int]:
    """Return the sizes of the hands of these patterns, for any number of unused cards."""
    line, before = alternative.line, alternative.after
    if before is None:
        return sizes(game, patterns, line, shape)
    hands = before.patterns or game.hand
    unused = {shape.own}  # all own cards are unused if no hand is possible
    # a different check reports that there are too many combinations
    if count_choices(game, hands, before.line, shape) <= MOST_COMBINATIONS:
        picked = selections(game, hands, before.line, shape)
        played = ((selection.explicit < shape.own).sum(axis=1) for selection in picked)
        unused = {shape.own - int(own) for counts in played for own in counts} or unused
    return set().union(*(sizes(game, patterns, line, shape, count) for count in unused))


ANY = (Place("own"), Place("board"))


def problems(game: Game) -> list[Problem]:
    faults = [*board_problems(game), *_place_problems(game)]
    if faults := faults or [*_taken_problems(game)] or of_game(game):
        return faults
    return [
        *deal_problems(game),
        *table_problems(game),
        *_hand_problems(game),
        *_share_problems(game),
        *due_problems(game),
        *turn_problems(game),
        *match_problems(game),
        *_wild_problems(game),
    ]


def shapes(game: Game) -> list[Shape]:
    """Return each combination of the minimum and the maximum number of cards of each zone."""
    piles = tuple(game.pile_cards.values())
    if game.turned is not None:
        return [Shape(game.turned - up, up, piles) for up in (1, game.turned)]
    ends = product({game.down.least, game.down.most}, {game.up.least, game.up.most})
    return [Shape(down, up, piles) for down, up in sorted(ends)]


# --- places -------------------------------------------------------------------------------------


def _patterns(game: Game) -> Iterator[tuple[str, Pattern]]:
    for index, pattern in enumerate(game.hand):
        yield f"hand/{index}", pattern
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            for pattern in (*alternative.patterns, *alternative.beating):
                yield f"shares/{index}", pattern


def _tests(game: Game) -> Iterator[tuple[str, CardsAre]]:
    for where, pattern in _patterns(game):
        yield from ((where, test) for test in pattern.tests)
    for index, share in enumerate(game.shares):
        yield from ((f"shares/{index}", test) for test in share.tests)


def _places(game: Game) -> Iterator[tuple[str, Place]]:
    for where, pattern in _patterns(game) if game.shares else ():
        # without a board, `any 5` refers to the player's own cards
        any_of_them = "any " in pattern.text
        terms = (term for term in pattern.terms if not (any_of_them and term.places == ANY))
        yield from ((where, place) for term in terms for place in term.places)
    for where, test in _tests(game):
        yield where, test.place
    yield from (("deal", step.place) for step in game.steps if step.place)
    for key, rules in (("wild", game.wild), ("bug", game.bug)):
        for index, rule in enumerate(rules):
            if isinstance(rule, RankOf | CardOf):
                yield f"{key}/{index}", rule.place


def _taken_problems(game: Game) -> Iterator[Problem]:
    """Check that hands and lines do not use cards of rows from which players take cards."""
    taken = {slot for n in game.for_taking for slot in game.board[n]}
    lines = [("lines", Place("slots", slots=line)) for line in game.lines]
    for where, place in [*_places(game), *lines] if taken else ():
        common = where != "deal" and place.zone in {"row", "slots"}
        if common and not taken.isdisjoint(game.slots_at(place)):
            yield bad_game(where, "a hand can't use cards that players take", place.zone)


def _place_problems(game: Game) -> Iterator[Problem]:
    for where, place in _places(game):
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
    """Return why a place can never hold a card, or an empty string if it can."""
    match place.zone:
        case "down":
            return "" if game.down.most else "the game deals no cards down"
        case "up":
            return "" if game.up.most else "the game deals no cards up"
        case "board":
            return "" if game.common_rows else "the game has no board"
        case "row":
            return "" if 1 <= place.number <= len(game.board) else f"there is no row {place.number}"
        case "line":
            exists = game.lines and place.number <= len(game.lines)
            return "" if exists else "there is no such line"
        case "slots":
            away = set(place.slots).difference(*game.board) if game.board else set(place.slots)
            return is_away(min(away)) if away else ""
        case "pile":  # other options may create this pile
            is_made = place.pile in game.piles
            return "" if is_made else f"under these options the deal makes no pile {place.pile}"
        case _:
            return ""


# --- hands --------------------------------------------------------------------------------------


def _hand_problems(game: Game) -> Iterator[Problem]:
    for index, share in enumerate(game.shares):
        for alternative in share.alternatives:
            where = f"shares/{index}" if alternative.patterns else "hand"
            yield from _size_problems(game, alternative, where)
    alternatives = [a for share in game.shares for a in share.alternatives]
    yield from of_combinations(
        game, max(sum(count_values(game, a, shape) for a in alternatives) for shape in shapes(game))
    )


def _size_problems(game: Game, alternative: Alternative, where: str) -> Iterator[Problem]:
    patterns, scale = alternative.patterns or game.hand, alternative.scale
    long = scale == "high" and LONG_KINDS.keys() & {*game.order}
    limit, most = (max(LONG_SIZES), "seven") if long else (FULL_HAND, "five")
    for pattern in patterns:
        made = [hand_sizes(game, alternative, (pattern,), shape) for shape in shapes(game)]
        largest = max(set().union(*made), default=None)
        if largest is None:
            yield bad_game(where, f"the game deals no hand of {pattern.text!r}", pattern.text)
            return
        if scale in TABLE_SCALES and largest > limit:
            text = f"{scale} compares at most {most} cards, but the pattern plays {largest}"
            yield bad_game(where, text, pattern.text)
            return
        if scale in {"highest", "lowest"} and largest > MOST_SINGLES:
            text = f"at most {MOST_SINGLES} single cards can be compared"
            yield bad_game(where, text, pattern.text)
            return
    for pattern in alternative.beating:
        if not any(sizes(game, (pattern,), 0, shape) for shape in shapes(game)):
            yield bad_game(where, f"the game deals no hand of {pattern.text!r}", pattern.text)
    if game.loses_cards:  # players may have too few cards left to make a hand; those players lose
        return
    for shape in shapes(game):
        if not hand_sizes(game, alternative, patterns, shape):
            cards = f"{shape.down} down and {shape.up} up"
            yield bad_game(where, f"no hand can be made from {cards}")
            return


# --- shares, dues, wild cards -------------------------------------------------------------------


def _share_problems(game: Game) -> Iterator[Problem]:
    if not game.shares and game.compares_hands:
        yield bad_game(
            "shares", "under these options the game has no share, so no player can win the pot"
        )
    names = [share.name for share in game.shares]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield bad_game(f"shares/{index}", f"two shares are called {name!r}", name)
        if name == "both" or not name:
            yield bad_game(f"shares/{index}", "a share needs a name, which can't be 'both'", name)
    if game.has_neighbours and game.shares[0].neighbour:
        yield bad_game(
            "shares/0",
            "a neighbour's share must come after a share that a hand can win",
            "neighbour",
        )
    if game.declares and game.is_joint:
        text = "a share that several hands win together can't be declared for"
        yield bad_game("declare", text, "and")
    if game.declares and game.has_neighbours:
        yield bad_game("declare", "players can't declare for a neighbour's share", "neighbour")
    if game.declares and len(game.shares) < 2:
        yield bad_game("declare", "a declaration needs at least two shares")
    never = game.document.get("declare", "cards-speak") == "cards-speak"
    if never and "lost_both" in game.document:
        text = "`lost_both` has no effect if players never declare; set `declare`"
        yield bad_game("lost_both", text, "lost_both")
    yield from _order_problems(game)
    yield from unused_problems(game, _places(game), _tests(game))
    yield from _bar_problems(game)
    yield from _joker_problems(game)


def _bar_problems(game: Game) -> Iterator[Problem]:
    """Check that each qualifier can be reached on its scale."""
    measured = [
        (f"shares/{n}", a) for n, share in enumerate(game.shares) for a in share.alternatives
    ]
    for where, alternative in [*measured, *(("ties", a) for a in game.tiebreak)]:
        scale, bar = alternative.scale, alternative.bar
        if bar is None:
            continue
        if scale in TABLE_SCALES:  # only the highest card determines whether a low qualifies
            any_kind = scale in {"high", REVERSED} or bar.category == "high-card"
            reachable = any_kind and bar.category in scale_of(game, scale).order
        elif scale in BADUGI_SCALES:
            reachable = bar.category in {"cards", "high-card"}
        else:
            reachable = scale in POINT_SCALES and scale != "nearest"
            reachable &= bar.category == "number" or bar.number > 0
        if not reachable:
            yield bad_game(where, f"{scale} has no {bar.text}", bar.text)


def _joker_problems(game: Game) -> Iterator[Problem]:
    """Check that jokers are wild in poker and badugi hands, and bugs occur in poker hands only."""
    jokers = {card for card in game.deck if card >= NATURAL_CARDS}
    for share in game.shares:
        rules = [rule for rule in (*game.wild, *game.bug) if rule.share in {"", share.name}]
        named = [rule.cards for rule in rules if isinstance(rule, CardSet)]
        scales = [alternative.scale for alternative in share.alternatives]
        ranked = [scale for scale in scales if scale in (*TABLE_SCALES, *BADUGI_SCALES)]
        if ranked and jokers.difference(*named):
            text = f"a {ranked[0]} hand can't contain jokers that are not wild"
            yield bad_game("deck", text, "joker")
        others = [scale for scale in scales if scale not in TABLE_SCALES]
        if others and any(rule.share in {"", share.name} for rule in game.bug):
            text = f"a bug has no meaning in {others[0]}; make it wild"
            yield bad_game("bug", text, game.bug[0].text)
    # nothing is wild in hands dealt for a tie
    tied = {alternative.scale for alternative in game.tiebreak}
    ranked = sorted(tied.intersection((*TABLE_SCALES, *BADUGI_SCALES)))
    if ranked and max(game.deck) >= NATURAL_CARDS:
        text = f"a {ranked[0]} hand that is dealt to break a tie can't contain jokers"
        yield bad_game("ties", text, "joker")


def _order_problems(game: Game) -> Iterator[Problem]:
    if FOUR_FLUSH in game.order and (game.wild or game.bug):
        yield bad_game("order", "a four-flush can't be combined with wild cards", FOUR_FLUSH)
    if (long := LONG_KINDS.keys() & {*game.order}) and (game.wild or game.bug):
        text = "kinds of more than five cards can't be combined with wild cards"
        yield bad_game("order", text, min(long))
    if game.order[0] != "high-card" and (game.wild or game.bug):
        yield bad_game("order", "with wild cards, no kind can rank below a high card", "high-card")


def _wild_problems(game: Game) -> Iterator[Problem]:
    # the names of all shares, including those that the options leave out
    texts = [str(text).partition(" when ")[0] for text in game.document.get("shares", ())]  # type: ignore[attr-defined]
    names = {*game.share_names, *(text.partition(":")[0].strip() for text in texts)}
    for key, rules in (("wild", game.wild), ("bug", game.bug)):
        for index, rule in enumerate(rules):
            if rule.share and rule.share not in names:
                text = f"no share is called {rule.share!r}"
                yield bad_game(f"{key}/{index}", text, rule.share, game.share_names)
    for index, rule in enumerate(game.wild):
        if isinstance(rule, RankOf) and rule.which == "middle":
            counts = {game.down.least % 2, game.down.most % 2}
            if rule.place.zone == "down" and counts != {1}:
                yield bad_game(
                    f"wild/{index}", "only an odd number of cards has a middle card", "middle"
                )
