"""Every reason why a record can't be settled, with a path into it (docs/record.md, "Errors")."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

from rules.cards import NATURAL_CARDS, TEXTS, UNSEEN
from rules.documents.game_lookup import game_of
from rules.error_text import path_part
from rules.errors import Problem
from rules.game.game import Game
from rules.game.hand import RECORD_KEYS, RESULT, Ended, Hand, Player
from rules.game.steps import Place
from rules.game.wild_rules import CardOf, CardSet, RankOf
from rules.game.workload import MOST_PROBLEMS
from rules.settlement.card_counts import count_problems, counted
from rules.settlement.chips.contest import BOTH
from rules.settlement.chips.turn_problems import CALLS, turn_problems
from rules.settlement.match_reader import match_problems, read_match
from rules.settlement.reader import Reader

# of a record, which name its players
NAMING_KEYS = ("shared", "carried", "took", "tiebreaks", "match")


def read(record: object) -> tuple[Hand | None, list[Problem]]:
    """The hand of a record, or None with every reason why it can't be settled."""
    if type(record) is not dict and not isinstance(record, Mapping):
        return None, [Problem("", "wrong-type", "a record is an object")]
    reader = Reader(record)
    if not record.keys() <= RECORD_KEYS:
        reader.unknown_keys("", record, RECORD_KEYS)
    found = game_of(record)
    reader.problems += found.problems
    players = reader.players()
    button = reader.button(len(players))
    depth = reader.depth()
    board = reader.board()
    names: dict[str, int] = {}
    if not record.keys().isdisjoint(NAMING_KEYS):
        names = {player.name: seat for seat, player in enumerate(players)}
    shared = reader.shared(players, names) if "shared" in record else []
    carried = reader.carried(names) if "carried" in record else []
    took = reader.took(names) if "took" in record else None
    tiebreaks = reader.tiebreaks(names) if "tiebreaks" in record else []
    match = read_match(reader, record["match"], names) if "match" in record else None
    if found.game is None:
        return None, reader.problems
    odd_chip, unit = found.game.table_options
    hand = Hand(
        *(found.game, found.variant, depth, button, players, board, carried, took, tiebreaks),
        odd_chip=odd_chip,
        unit=unit,
        match=match,
    )
    reader.problems += of_hand(hand, shared, reader.problems)
    return (None if reader.problems else hand), reader.problems[: MOST_PROBLEMS + 1]


def of_hand(hand: Hand, shared: Sequence[int], known: Sequence[Problem]) -> list[Problem]:
    """What is wrong between a record and its game; `known` are the problems found before."""
    misread: set[str] = set()
    if known:
        misread.update(place for p in known for place in (p.where, p.where.rpartition("/")[0]))
    game = hand.game
    cards = _cards_in_play(hand, shared)
    # the usual case at once
    usual = game.deck.issuperset(cards) and len(set(cards)) == len(cards)
    found = [] if usual else _first(_card_problems(hand, shared))
    if game.kill:
        _kill(hand)
    hand.live = [
        seat
        for seat, player in enumerate(hand.players)
        if not (player.folded or player.mucked or player.killed)
    ]
    if hand.match is not None:
        found += match_problems(hand, hand.match)
    if hand.depth == RESULT:
        return found + list(_result_problems(hand))
    if game.against_pot:
        found += _first(turn_problems(hand, misread))
    compared = needs_showdown(hand)
    found += count_problems(hand, misread, compared=compared)
    if compared:
        if not usual and UNSEEN in cards:
            found += _first(_unseen_problems(hand))
        if game.declares:
            found += _declaration_problems(hand, misread)
    if hand.tiebreaks:
        found += _first(_round_problems(hand, misread))
    return found


def _first(problems: Iterable[Problem]) -> list[Problem]:
    """As many as are told: a short record can be wrong in very many places."""
    return list(islice(problems, MOST_PROBLEMS))


def needs_showdown(hand: Hand) -> bool:
    """Whether hands are compared: more than one is left, or the last one must show."""
    if not hand.game.compares_hands:
        return hand.game.bank
    left = len(hand.live)
    return left > 1 or (hand.game.must_show and left == 1)


def _kill(hand: Hand) -> None:
    """A turned killer folds the hand from the start, as far as pots go."""
    lying = lying_at(hand)
    if hand.game.enders:
        hand.ended = _ended(hand)
    for player in hand.players:
        player.killed = hand.ended is not None or any(
            killers(player, rule, lying) for rule in hand.game.kill
        )


def _ended(hand: Hand) -> Ended | None:
    """Who was dealt a card up that ends the deal for all, the first in turn."""
    for seat in sorted(range(len(hand.players)), key=hand.from_dealers_left):
        for rule in hand.game.kill:
            if isinstance(rule, CardSet) and rule.ends:
                found = [card for card in hand.players[seat].up if card in rule.cards]
                if found:
                    return Ended(seat, found[0], _still_in(hand) if rule.ends == "all in" else ())
    return None


def _still_in(hand: Hand) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(hand.players) if player.live)


def killers(player: Player, rule: CardSet | RankOf, lying: Mapping[str, int]) -> list[int]:
    """The cards of a player that kill the hand under a rule; `lying` is the board by slot. What
    was laid into piles was down."""
    down = [*player.held_down, *(card for pile in player.piles.values() for card in pile)]
    zones = {"down": down, "up": player.up, "": [*down, *player.up]}
    if isinstance(rule, RankOf):
        cards = [lying[slot] for slot in rule.place.slots if slot in lying]
        ranks = {card // 4 for card in cards if card < NATURAL_CARDS}
        return [card for card in zones[rule.zone] if card // 4 in ranks]
    return [card for card in zones[rule.zone] if card in rule.cards]


def lying_at(hand: Hand) -> dict[str, int]:
    """The board by slot, as far as it was dealt."""
    return {
        slot: card
        for slots, cards in zip(hand.game.board, hand.board, strict=False)
        for slot, card in zip(slots, cards, strict=False)
    }


# --- cards --------------------------------------------------------------------------------------


def _cards_in_play(hand: Hand, shared: Sequence[int]) -> list[int]:
    cards = [*shared]
    for row in hand.board:
        cards += row
    for player in hand.players:
        cards += player.down
        cards += player.up
        if player.piles:
            cards += chain.from_iterable(player.piles.values())
    return cards


def _card_problems(hand: Hand, shared: Sequence[int]) -> Iterator[Problem]:
    """Cards that the deck lacks, and cards that are in play twice."""
    seen: dict[int, str] = {}
    for where, owner, card in _places(hand, shared):
        if card == UNSEEN:
            continue
        if card not in hand.game.deck:
            yield Problem(where, "card-not-in-deck", f"the deck has no {TEXTS[card]}")
        elif card in seen:
            yield Problem(where, "card-twice", f"{TEXTS[card]} is {seen[card]} already")
        else:
            seen[card] = owner


def _places(hand: Hand, shared: Sequence[int]) -> Iterator[tuple[str, str, int]]:
    """Every card in play: its path, whose it is, the card."""
    for seat, player in enumerate(hand.players):
        owner = f"{player.name}'s"
        for zone, cards in (("down", player.down), ("up", player.up)):
            yield from ((f"players/{seat}/{zone}/{at}", owner, c) for at, c in enumerate(cards))
        for pile, cards in player.piles.items():
            where = f"players/{seat}/piles/{path_part(pile)}"
            yield from ((f"{where}/{at}", owner, c) for at, c in enumerate(cards))
    for number, row in enumerate(hand.board):
        yield from ((f"board/{number}/{at}", "on the board", c) for at, c in enumerate(row))
    yield from ((f"shared/{at}/card", "shared", card) for at, card in enumerate(shared))


def _unseen_problems(hand: Hand) -> Iterator[Problem]:
    """Cards that nobody saw, where they count."""
    counting = counting_zones(hand.game)
    for seat, player in enumerate(hand.players):
        if player.live and not (hand.game.bank and seat == hand.button):
            for zone, cards in (("down", player.down), ("up", player.up)):
                if zone in counting:
                    yield from _unseen(f"players/{seat}/{zone}", cards)
    if "board" in counting:
        for index, row in enumerate(hand.board):
            if index in hand.game.for_taking:
                continue
            yield from _unseen(f"board/{index}", row)


def _unseen(where: str, cards: Sequence[int]) -> Iterator[Problem]:
    for at, card in enumerate(cards):
        if card == UNSEEN:
            yield Problem(f"{where}/{at}", "unknown-card", "this card counts: which was it?")


ZONES_OF = {
    "down": {"down"},
    "up": {"up"},
    "own": {"down", "up"},
    "pile": {"down"},
}


@lru_cache(maxsize=1024)
def counting_zones(game: Game) -> frozenset[str]:
    """The zones whose cards can matter at the end."""
    places: list[Place] = []
    patterns = [*game.hand] if not game.bank else []
    for share in game.shares:
        patterns += [p for alt in share.alternatives for p in (*alt.patterns, *alt.beating)]
    places += [place for pattern in patterns for term in pattern.terms for place in term.places]
    places += [rule.place for rule in (*game.wild, *game.bug) if isinstance(rule, RankOf | CardOf)]
    zones = {"board"} if game.bank or game.turned is not None else set()
    zones |= {"up"} if game.bank else set()
    return frozenset(zones.union(*(ZONES_OF.get(place.zone, {"board"}) for place in places)))


# --- declarations, results, tie-breaks ----------------------------------------------------------


@lru_cache(maxsize=1024)
def declarations(game: Game) -> tuple[str, ...]:
    if game.calls:
        return CALLS
    return (*game.share_names, BOTH) if game.declares else ()


def _declaration_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    allowed = declarations(hand.game)
    for seat, player in enumerate(hand.players):
        where = f"players/{seat}/declared"
        if not player.live or where in misread:
            continue
        if player.declared is None:
            yield Problem(where, "not-declared", f"{player.name} did not declare")
        elif player.declared not in allowed:
            text = f"{player.name} may declare {', '.join(allowed)}"
            yield Problem(where, "bad-declaration", text)


def _result_problems(hand: Hand) -> Iterator[Problem]:
    if hand.took is None:
        yield Problem("took", "took-missing", "a result needs what each player took")
        return
    chips_in = sum(p.paid for p in hand.players) + sum(c.amount for c in hand.carried)
    chips_out = sum(hand.took.values())
    if chips_in != chips_out:
        text = f"{chips_in} chips went in and {chips_out} came out"
        yield Problem("took", "took-does-not-add-up", text)


def _round_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    """Hands of a tie-break round: five cards each, no card twice within the round."""
    wanted = hand.game.tiebreak_cards or 5
    for index, dealt_hands in enumerate(hand.tiebreaks):
        counts = Counter(card for cards in dealt_hands.values() for card in cards)
        for name, cards in dealt_hands.items():
            where = f"tiebreaks/{index}/{name}"
            if len(cards) != wanted and where not in misread:
                text = f"{counted(len(cards))}, a tie-break deals {wanted}"
                yield Problem(where, "card-count", text)
            for at, card in enumerate(cards):
                yield from _round_card(hand.game, f"{where}/{at}", card, counts)


def _round_card(game: Game, where: str, card: int, counts: Counter[int]) -> Iterator[Problem]:
    if card == UNSEEN:
        yield Problem(where, "unknown-card", "this card counts: which was it?")
    elif card not in game.deck:
        yield Problem(where, "card-not-in-deck", f"the deck has no {TEXTS[card]}")
    elif counts[card] > 1:
        counts[card] = -counts[card]  # the first stays, the others are too many
    elif counts[card] < 0:
        yield Problem(where, "card-twice", f"{TEXTS[card]} is in the round already")
