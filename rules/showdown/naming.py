"""What a hand is called, and what its wild cards stand for."""

from itertools import zip_longest

from rules.cards import RANK_NAMES, SUIT_NAMES, TEXTS
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import describe, rank_name, read_strength
from rules.showdown.scales import MOST_SINGLES, POINTS_ZERO, SINGLE_BITS, scale_of
from rules.showdown.showdown import Played
from rules.showdown.strength_tables import WILD
from rules.showdown.wilds import stand_ins

JOKER_NAME = "joker"


def name_of(game: Game, alternative: Alternative, strength: int, played: Played) -> str:
    """The words for a hand of this strength."""
    if alternative.scale in TABLE_SCALES:
        return describe(scale_of(game, alternative.scale), strength)
    if alternative.scale in BADUGI_SCALES:
        return f"{len(played.cards)}-card badugi {_ranks_down(played.cards)}"
    if alternative.scale == "holds":
        return (
            " and ".join(card_name(card) for card in sorted(alternative.cards.cards, reverse=True))
            if alternative.cards
            else ""
        )
    if alternative.scale in {"highest", "lowest"}:
        return _single_name(game, alternative, strength, played)
    return f"{_total(alternative, strength)} points"


def _total(alternative: Alternative, strength: int) -> int:
    least = alternative.scale == "least points"
    return POINTS_ZERO - strength if least else strength - POINTS_ZERO


def card_name(card: int) -> str:
    """`king of hearts`, `joker`."""
    if card >= 4 * len(RANK_NAMES):
        return JOKER_NAME
    return f"{RANK_NAMES[card // 4]} of {SUIT_NAMES[card % 4]}"


def _ranks_down(cards: list[int]) -> str:
    return "-".join(TEXTS[card][0] for card in sorted(cards, reverse=True))


def _single_name(game: Game, alternative: Alternative, strength: int, played: Played) -> str:
    """The single cards that decide, best first: the first one, and the next where it helps."""
    top = strength >> SINGLE_BITS * (MOST_SINGLES - 1)
    standing = {_value(game, alternative, card): card for card in game.singles}
    best = standing.get(top)
    jokers = sum(card >= 4 * len(RANK_NAMES) for card in played.cards)
    if best is not None and best >= 4 * len(RANK_NAMES) and jokers > 1:
        return f"{jokers} jokers"
    return card_name(best) if best is not None else "no card"


def difference(game: Game, alternative: Alternative, better: int, worse: int) -> str:
    """The first card that decides between two hands of one name: `the king beats the queen`."""
    if alternative.scale in TABLE_SCALES:
        scale = scale_of(game, alternative.scale)
        ours, theirs = (
            [rank_name(rank) for rank in read_strength(scale, strength)[1]]
            for strength in (better, worse)
        )
    elif alternative.scale in {"highest", "lowest"}:
        ours, theirs = (_single_cards(game, alternative, some) for some in (better, worse))
    else:
        return ""
    pairs = zip_longest(ours, theirs)
    found = next(((one, other) for one, other in pairs if one != other), ("", ""))
    return f"the {found[0]} beats {f'the {found[1]}' if found[1] else 'no card'}"


def _single_cards(game: Game, alternative: Alternative, strength: int) -> list[str]:
    """The single cards behind a strength, the deciding one first."""
    standing = {_value(game, alternative, card): card_name(card) for card in game.singles}
    places = range(SINGLE_BITS * (MOST_SINGLES - 1), -1, -SINGLE_BITS)
    values = [strength >> place & (1 << SINGLE_BITS) - 1 for place in places]
    return [standing[value] for value in values if value]


def _value(game: Game, alternative: Alternative, card: int) -> int:
    value = game.singles[card]
    return max(game.singles.values()) + 1 - value if alternative.scale == "lowest" else value


def plays_as(game: Game, alternative: Alternative, played: Played) -> dict[str, str]:
    """The card that each wild card stands for."""
    wild = [place for place, symbol in enumerate(played.symbols) if symbol >= WILD]
    if not wild:
        return {}
    if alternative.scale in TABLE_SCALES:
        scale = scale_of(game, alternative.scale)
        stands = stand_ins(scale, played.cards, played.symbols)
        return {TEXTS[played.cards[place]]: TEXTS[card] for place, card in stands.items()}
    if alternative.scale in {"highest", "lowest"}:
        return _single_stand_ins(game, alternative, played, wild)
    return {}


def _single_stand_ins(
    game: Game, alternative: Alternative, played: Played, wild: list[int]
) -> dict[str, str]:
    natural = {
        card for card, symbol in zip(played.cards, played.symbols, strict=True) if symbol < WILD
    }
    best_first = sorted(range(4 * len(RANK_NAMES)), key=lambda c: -_value(game, alternative, c))
    free = (card for card in best_first if card not in natural)
    return {TEXTS[played.cards[place]]: TEXTS[next(free)] for place in wild}
