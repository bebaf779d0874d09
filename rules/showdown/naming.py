"""Name hands, and determine the cards that their wild cards replace."""

from collections.abc import Sequence

from rules.cards import NATURAL_CARDS, RANK_NAMES, RANKS, SUIT_NAMES, TEXTS
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import Scale, describe
from rules.showdown.game_scales import POINT_SCALES, scale_of
from rules.showdown.measures import (
    BADUGI_RANKS,
    MOST_SINGLES,
    SINGLE_BITS,
    points_of,
    stand_in_cards,
    stand_ins_of_points,
)
from rules.showdown.showdown import PlayedHand
from rules.showdown.tables import WILD, table

JOKER_NAME = "joker"


def name_of(game: Game, alternative: Alternative, strength: int, played: PlayedHand) -> str:
    if alternative.scale in TABLE_SCALES:
        return describe(scale_of(game, alternative.scale), strength)
    if alternative.scale in BADUGI_SCALES:
        size, packed = strength >> 20, strength & 0xFFFF
        value = packed if alternative.scale == "hidugi" else 0xFFFF - packed
        ranks = [RANKS[((value >> shift & 15) - 2) % 13] for shift in (12, 8, 4, 0)][:size]
        return f"{size}-card badugi {'-'.join(ranks).replace('T', '10')}"
    if alternative.scale == "holds":
        return (
            " and ".join(card_name(card) for card in sorted(alternative.cards.cards, reverse=True))
            if alternative.cards
            else ""
        )
    if alternative.scale in {"highest", "lowest"}:
        top = strength >> SINGLE_BITS * (MOST_SINGLES - 1)
        stands = _single_stand_ins(game, alternative, played)
        cards = [stands.get(card, card) for card in counted_singles(alternative, played)]
        if alternative.scale == "lowest":
            top = max(game.singles.values()) + 1 - top
        best = next((card for card in cards if game.singles[card] == top), None)
        jokers = sum(card >= NATURAL_CARDS for card in cards)
        if best is not None and best >= NATURAL_CARDS and jokers > 1:
            return f"{jokers} jokers"
        return card_name(best) if best is not None else "no card"
    return f"{points_of(game, alternative, strength):,} points"


def card_name(card: int) -> str:
    """Return the name of a card, such as `king of hearts` or `joker`."""
    if card >= NATURAL_CARDS:
        return JOKER_NAME
    return f"{RANK_NAMES[card // 4]} of {SUIT_NAMES[card % 4]}"


def counted_singles(alternative: Alternative, played: PlayedHand) -> list[int]:
    """Return the cards of a hand that are compared one by one.

    These are the cards of the scale's set, including wild cards, in the zone that the set names.
    """
    named = alternative.cards
    if named is None:
        return played.cards
    cards = zip(played.cards, played.symbols, played.zones, strict=True)
    return [
        card
        for card, symbol, zone in cards
        if named.zone in {"", zone} and (symbol >= WILD or card in named.cards)
    ]


def plays_as(game: Game, alternative: Alternative, played: PlayedHand) -> dict[str, str]:
    """Return the card that each wild card replaces."""
    if max(played.symbols, default=0) < WILD:
        return {}
    if alternative.scale in TABLE_SCALES:
        scale = scale_of(game, alternative.scale)
        stands = _stand_ins(scale, played.cards, played.symbols)
        return {TEXTS[played.cards[place]]: TEXTS[card] for place, card in stands.items()}
    wild, natural = _wild_and_natural(played)
    if alternative.scale in POINT_SCALES:
        stand_ins = stand_ins_of_points(game, alternative, natural, wild)
    elif alternative.scale in BADUGI_SCALES:
        # each takes an unused suit and the best unused rank
        held_suits, held_ranks = {card % 4 for card in natural}, {card // 4 for card in natural}
        suits = [suit for suit in (3, 2, 1, 0) if suit not in held_suits]
        places = [(rank - 2) % 13 for rank in BADUGI_RANKS[alternative.scale]]
        ranks = [rank for rank in places if rank not in held_ranks]
        free = [4 * rank + suit for rank, suit in zip(ranks, suits, strict=False)]
        stand_ins = dict(zip(wild, free, strict=False))
    elif alternative.scale == "holds":
        wanted = sorted(alternative.cards.cards if alternative.cards else (), reverse=True)
        spare = [card for card in wild if card not in wanted]
        missing = [card for card in wanted if card not in played.cards]
        stand_ins = dict(zip(spare, missing, strict=False))
    else:
        stand_ins = _single_stand_ins(game, alternative, played)
    return {TEXTS[card]: TEXTS[other] for card, other in stand_ins.items()}


def _wild_and_natural(played: PlayedHand) -> tuple[list[int], list[int]]:
    pairs = list(zip(played.cards, played.symbols, strict=True))
    wild = [card for card, symbol in pairs if symbol >= WILD]
    return wild, [card for card, symbol in pairs if symbol < WILD]


def _single_stand_ins(game: Game, alternative: Alternative, played: PlayedHand) -> dict[int, int]:
    wild, natural = _wild_and_natural(played)
    counts = counted_singles(alternative, played)
    counted = [card for card in wild if card in counts]
    free = [card for card in stand_in_cards(game, alternative) if card not in natural]
    return dict(zip(counted, free, strict=False))


# --- the cards that wild cards replace ----------------------------------------------------------


def _stand_ins(scale: Scale, played: Sequence[int], symbols: Sequence[int]) -> dict[int, int]:
    """Return the card that each wild card replaces, by its position in the hand.

    Ranks are chosen one at a time so that the strength does not change. Suits are then chosen so
    that no card occurs twice. A wild card keeps its own value if it can.
    """
    wild = [place for place, symbol in enumerate(symbols) if symbol >= WILD]
    there = [card for card, symbol in zip(played, symbols, strict=True) if symbol < WILD]
    suits = {card % 4 for card in there}
    flush = len(suits) <= 1 and len(played) in scale.sizes
    left = list(symbols)
    stands: dict[int, int] = {}
    for place in wild:
        suit = next(iter(suits)) if len(suits) == 1 else None
        own = played[place]
        rank, flush = _next_rank(scale, left, place, own, flush=flush)
        # the suit is that of the flush, or a different one
        if flush and suit is not None:
            card = 4 * rank + suit
        else:
            options = [4 * rank + other for other in (3, 2, 1, 0) if flush or other != suit]
            free = [card for card in options if card not in there]
            card = own if own in free else (free or [4 * rank + 3])[0]
        suits.add(card % 4)
        stands[place] = card
        there.append(card)
        left[place] = rank
    return stands


def _next_rank(
    scale: Scale, symbols: list[int], place: int, own: int, *, flush: bool
) -> tuple[int, bool]:
    """Return a rank for the wild card at a position, such that the hand keeps its strength."""
    strength_table = table(scale, len(symbols))
    wanted = strength_table.of(symbols, flush=flush)
    for rank in sorted(range(13), key=lambda rank: (rank != own // 4, -rank)):
        after = [*symbols[:place], rank, *symbols[place + 1 :]]
        fresh = rank not in symbols
        if flush and fresh and strength_table.of(after, flush=True) == wanted:
            return rank, True
        if strength_table.of(after, flush=False) == wanted:
            return rank, False
    raise AssertionError("a wild card stands for something")
