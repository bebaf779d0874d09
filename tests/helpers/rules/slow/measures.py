"""The strength of a hand for each share, by trying all choices of cards and all wild cards."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any

from tests.helpers.rules.slow.deck import named_by
from tests.helpers.rules.slow.hands import DECK, RANKS, SUITS, Strength, badugi, rank_of, totals
from tests.helpers.rules.slow.reading import Game, Seat, UnsupportedWordError, Wilds

POKER = {"high", "best", "worst", "ace-to-six", "reversed"}
BADUGIS = {"badugi", "badugi-ace-high", "hidugi"}
POINTS = {"most points", "least points", "closest", "nearest"}
COMPLETED = {"straight", "flush", "straight-flush"}  # kinds of hands that a bug can complete


@dataclass(frozen=True)
class Measure:
    """A parsed measure of a share."""

    scale: str
    bar: str = ""
    cards: str = ""  # argument of the scale: `s down`, `As Js`, 21
    patterns: tuple[str, ...] = ()
    line: int = 0
    beating: str = ""  # the pattern of the hand on the table


@dataclass(frozen=True)
class Share:
    """A share with its measures. The first n of these must be won together."""

    name: str
    measures: tuple[Measure, ...]
    together: int
    neighbour: str  # left, right, or an empty string
    condition: str  # a condition on cards


def read_shares(game: Game) -> list[Share]:
    shares = []
    for text in game.of_cards("shares"):
        share, _, condition = text.partition(" when ")
        name, colon, sentence = share.partition(":")
        sentence = sentence.strip() if colon else share
        if sentence.startswith("neighbour"):
            shares.append(Share(name.strip(), (), 1, sentence.split()[1], condition))
            continue
        first, *others = sentence.split(" else ")
        joint = first.split(" and ")
        measures = tuple(read_measure(each.strip()) for each in (*joint, *others))
        called = name.strip() if colon else " ".join(sentence.partition(" of ")[0].split())
        shares.append(Share(called, measures, len(joint), "", condition))
    return shares


def read_measure(text: str) -> Measure:
    """Parse a measure.

    For example: `high trips-or-better of 2 down + 3 board | 5 down on line 1 beating 3 board`.
    """
    text, _, beating = text.partition(" beating ")
    line = re.search(r" on line (\d+)$", text)
    said = text[: line.start()] if line else text
    head, _, patterns = said.partition(" of ")
    words = head.split()
    bar = next((word for word in words if word.endswith("-or-better")), "")
    words = [word for word in words if word != bar]
    if words[:1] in (["most"], ["least"]):
        scale, named = " ".join(words[:2]), words[2:]
    else:
        low = bar[:-10] in {*RANKS, "10"}
        scale, named = (words or ["best" if low else "high"])[0], words[1:]
    alternatives = tuple(each.strip() for each in patterns.split("|")) if patterns else ()
    at = int(line[1]) if line else 0
    return Measure(scale, bar[:-10], " ".join(named), alternatives, at, beating)


# --- a player's best hand -------------------------------------------------------------------------


def strength(
    game: Game, seat: Seat, measure: Measure, share: str, before: Measure | None = None
) -> Strength | None:
    """Return a player's best strength for a measure, across all readings of wild cards.

    If the measure requires it, only the cards left by the hand `before` are used. If several hands
    `before` tie, the one that leaves the best cards counts.
    """
    if before is not None and any("unused" in pattern.split() for pattern in measure.patterns):
        left = [replace(seat, unused=cards) for cards in _unused(game, seat, before, share)]
        strengths = [strength(game, one, measure, share) for one in left]
    else:
        strengths = [_best(game, seat, measure, wilds) for wilds in game.wilds(seat, share)]
    best = max((value for value in strengths if value is not None), default=None)
    if best is not None and measure.beating:
        if any(card in some for some in game.wilds(seat, share)[0] for card in seat.board.values()):
            raise UnsupportedWordError("a wild card on the table")
        table = replace(seat, zones={"down": [], "up": []})
        held = replace(measure, patterns=(measure.beating,), beating="", bar="")
        to_beat = _best(game, table, held, (frozenset(), frozenset()))
        if to_beat is not None and best <= to_beat:
            return None
    return best


def _best(game: Game, seat: Seat, measure: Measure, wilds: Wilds) -> Strength | None:
    return max((value for value, _ in hands(game, seat, measure, wilds)), default=None)


def _unused(game: Game, seat: Seat, before: Measure, share: str) -> list[list[str]]:
    """Return the unused cards for each of the player's best hands.

    If all hands are worth nothing, each of them counts as a best hand. Without a hand, all cards
    are unused.
    """
    own = [card for cards in seat.zones.values() for card in cards]
    wilds = game.wilds(seat, share)
    measured = [*_all_hands(game, seat, replace(before, bar="", beating=""), wilds[0])]
    best = max((value for value, _ in measured if value is not None), default=None)
    left = [[card for card in own if card not in hand] for value, hand in measured if value == best]
    return left or [own]


def hands(
    game: Game, seat: Seat, measure: Measure, wilds: Wilds
) -> Iterator[tuple[Strength, tuple[str, ...]]]:
    """Yield every qualifying hand that a player can form for a measure."""
    for value, hand in _all_hands(game, seat, measure, wilds):
        if value is not None and _qualifies(game, measure, value):
            yield value, hand


def _all_hands(
    game: Game, seat: Seat, measure: Measure, wilds: Wilds
) -> Iterator[tuple[Strength | None, tuple[str, ...]]]:
    """Yield every hand that a player can form, with its strength or None."""
    patterns = measure.patterns or game.of_cards("hand") or ["any 5"]
    size = _size([pattern.partition(" when ")[0] for pattern in patterns])
    for pattern in patterns:
        words, _, condition = pattern.partition(" when ")
        if not game.cards_are(seat, condition):
            continue
        for hand in game.choices(seat, words, measure.line, size):
            if not hand and measure.scale not in POINTS:
                continue  # no cards are left
            yield _of_hand(game, seat, measure, hand, wilds), hand


def _size(patterns: Sequence[str]) -> int:
    """Return the hand size, which is five unless all patterns have a different fixed size."""
    fixed = [re.findall(r"(?:^|\+ )(?:any )?(\d+) ", pattern + " ") for pattern in patterns]
    whole = [len(pattern.split(" + ")) for pattern in patterns]
    sizes = {
        sum(map(int, counts))
        for counts, terms in zip(fixed, whole, strict=True)
        if len(counts) == terms
    }
    return sizes.pop() if len(sizes) == 1 else 5


# --- strength of a choice of cards ----------------------------------------------------------------

_known: dict[Any, Strength | None] = {}


def _of_hand(
    game: Game, seat: Seat, measure: Measure, hand: tuple[str, ...], wilds: Wilds
) -> Strength | None:
    wild = [card for card in hand if card in wilds[0]]
    bugs = [card for card in hand if card in wilds[1]]
    natural = sorted(card for card in hand if card not in wild and card not in bugs)
    if measure.scale in POKER:
        key = game.ranking, measure.scale, *natural, len(wild), len(bugs)
        if key not in _known:
            if len(_known) > 100_000:
                _known.clear()
            _known[key] = _poker(game, measure.scale, natural, len(wild), len(bugs))
        return _known[key]
    if bugs:
        raise UnsupportedWordError("a bug beside another measure")
    if measure.scale in BADUGIS:
        return _badugi(natural, measure.scale, len(wild))
    if measure.scale in POINTS:
        return _points(game, measure, natural, len(wild))
    if measure.scale == "holds":
        wanted = set(measure.cards.split())
        others = [card for card in wild if card not in wanted]
        return (1,) if len(wanted.difference(hand)) <= len(others) else None
    return _singles(game, seat, measure, natural, wild)


def _poker(game: Game, scale: str, natural: list[str], wild: int, bugs: int) -> Strength | None:
    ranking, strengths = game.ranking, []
    if len(natural) + wild + bugs > 5:
        return ranking.longest(natural)
    for standing in _poker_readings(natural, wild):
        if not bugs:
            strengths.append(ranking.poker(standing, scale))
            continue
        for read in _poker_readings(standing, bugs):
            value = ranking.poker(read, scale)
            aces = all(card[0] == "A" for card in read[len(standing) :])
            completes = abs(value[0]) in {
                ranking.order.index(k) for k in COMPLETED if k in ranking.order
            }
            if scale != "high" or aces or completes:
                strengths.append(value)
    return max(strengths, default=None)


def _poker_readings(natural: list[str], wild: int) -> Iterator[list[str]]:
    """Yield the hand with wild cards replaced by absent cards.

    All ranks are tried, both in one suit for a flush and in mixed suits, because nothing else
    distinguishes two poker hands. A fifth card of a rank makes five of a kind.
    """
    if not wild:
        yield natural
        return
    suits = {card[1] for card in natural}
    held = {rank: [card[1] for card in natural if card[0] == rank] for rank in RANKS}
    for ranks in combinations_with_replacement(RANKS, wild):
        if len(suits) < 2 and len({*ranks}) == wild and not any(held[rank] for rank in ranks):
            yield [*natural, *(rank + (min(suits) if suits else "s") for rank in ranks)]
        most = {rank: len(held[rank]) + ranks.count(rank) for rank in ranks}
        five = len({*ranks, *(card[0] for card in natural)}) == 1 and len(natural) + wild == 5
        if max(most.values()) <= 4 or five:
            yield [*natural, *_apart(ranks, held, suits)]


def _apart(ranks: Sequence[str], held: Mapping[str, list[str]], suits: set[str]) -> Iterator[str]:
    """Yield absent cards of these ranks that form no unnecessary flush."""
    taken = {rank: [*some] for rank, some in held.items()}
    last = next(iter(suits)) if len(suits) == 1 else ""
    for rank in ranks:
        free = [suit for suit in SUITS if suit not in taken[rank]] or [*SUITS]
        suit = next((suit for suit in free if suit != last), free[0])
        taken[rank].append(suit)
        last = suit
        yield rank + suit


def _badugi(natural: list[str], scale: str, wild: int) -> Strength:
    """Return the best badugi.

    A wild card takes the best free rank. With at most four cards, a suit is always free.
    """
    if not wild:
        return badugi(natural, scale)
    strengths = []
    ranks = RANKS if scale == "badugi-ace-high" else "A" + RANKS[:-1]
    ranks = RANKS[::-1] if scale == "hidugi" else ranks
    for size in range(5 - min(wild, 4)):
        for chosen in combinations(natural, size):
            suits, held = {card[1] for card in chosen}, {card[0] for card in chosen}
            if len(suits) == len(held) == size:
                free = [rank for rank in ranks if rank not in held][: min(wild, 4 - size)]
                others = [suit for suit in SUITS if suit not in suits]
                stand = [rank + suit for rank, suit in zip(free, others, strict=False)]
                strengths.append(badugi([*chosen, *stand], scale))
    return max(strengths)


def _points(game: Game, measure: Measure, natural: list[str], wild: int) -> Strength | None:
    """Return the strength in points. Wild cards become distinct cards that are not in the hand."""
    sums = {
        total + other
        for total in totals(natural, game.points)
        for other in _wild_sums(game, frozenset(natural), wild)
    }
    scale = measure.scale
    if scale == "closest":
        return max(((total,) for total in sums if total <= int(measure.cards)), default=None)
    if scale == "nearest":
        number = int(measure.cards)
        return max((-abs(total - number), total <= number) for total in sums)
    return max((total if scale == "most points" else -total,) for total in sums)


_wild: dict[Any, set[float]] = {}


def _wild_sums(game: Game, present: frozenset[str], wild: int) -> set[float]:
    """Return the points that wild cards can have: any card in the pack or a joker in the deck."""
    if not wild:
        return {0}
    cards = [card for card in {*DECK, *game.deck} if card not in present]
    # one card of each kind is enough
    alike = {tuple(game.points[card]): card for card in sorted(cards)}
    kinds = Counter(tuple(game.points[card]) for card in cards)
    key = frozenset(kinds.items()), wild
    if key not in _wild:
        _wild[key] = {
            count + rest
            for counts, card in alike.items()
            for count in counts
            for rest in _wild_sums(game, present | {card}, wild - 1)
        }
    return _wild[key]


def _singles(
    game: Game, seat: Seat, measure: Measure, natural: list[str], wild: list[str]
) -> Strength | None:
    """Compare single cards. A wild card is the best absent card."""
    words = measure.cards.split()
    present = natural
    if words and words[-1] in {"down", "up"}:
        zone = seat.zones[words.pop()]
        natural, wild = ([c for c in some if c in zone] for some in (natural, wild))
    meant = [card for card in DECK if not words or named_by(card, words[0])]
    sign = 1 if measure.scale == "highest" else -1
    free = [sign * game.single(card) for card in meant if card not in present]
    places = [sign * game.single(card) for card in natural if not words or named_by(card, words[0])]
    places = [place for place in places if sign * place >= 0]
    stand = sorted(free, reverse=True)[: len(wild)]
    return tuple(sorted([*places, *stand], reverse=True)) or None


def _qualifies(game: Game, measure: Measure, value: Strength) -> bool:
    bar, scale = measure.bar, measure.scale
    if not bar:
        return True
    plain = bar.replace("10", "T")
    order = game.ranking.order
    if scale in {"high", "reversed"}:
        sign = 1 if scale == "high" else -1
        if bar in order and plain[0] not in RANKS:
            return bool(value[0] >= sign * order.index(bar))
        kinds = {1: "high-card", 2: "pair", 3: "trips", 4: "quads"}
        rank = rank_of(plain[0], 14 if scale == "high" else 1)
        return bool(value[:2] >= (sign * order.index(kinds[len(plain)]), rank))
    if scale in POKER and len(plain) == 1:
        ace = 14 if scale == "worst" else 1
        return bool(value[0] == 0 and -value[1] <= rank_of(plain, ace))
    if scale in BADUGIS and bar.endswith("-cards"):
        return bool(value[0] >= {"two": 2, "three": 3, "four": 4}[bar[:-6]])
    if scale in {"badugi", "badugi-ace-high"} and len(plain) == 1:
        return bool(value[0] == 4 and -value[1] <= rank_of(plain, 1 if scale == "badugi" else 14))
    if scale in {"most points", "closest"} and bar.isdigit():
        return bool(value[0] >= int(bar))
    if scale == "least points" and bar.isdigit():
        return bool(-value[0] <= int(bar))
    raise UnsupportedWordError(bar)
