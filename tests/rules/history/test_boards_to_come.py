"""Possible boards are listed exactly once, and all are equally likely."""

from itertools import chain, combinations
from math import comb
from random import Random

import pytest

from rules.api import game_of, read_record
from rules.cards import parse_card
from rules.history.all_ins import Boards, equivalent_slots, standings


def slots_alike(document: str | dict[str, object]) -> list[str]:
    game = game_of({"variant": document}).game
    assert game is not None
    return sorted(
        "".join(some) for some in equivalent_slots(game, [*chain.from_iterable(game.board)])
    )


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_every_combination_of_cards_occurs_as_a_board_exactly_once(size: int) -> None:
    """Two of 9 cards and then one more: 36 times 7 boards."""
    boards = Boards([None, 3, None, None], [[0, 2], [3]], [*range(10, 19)])
    assert boards.count == comb(9, 2) * 7
    parts = [*boards.parts(size)]
    assert all(part.shape[1] <= size for part in parts)
    dealt = [(frozenset((a, b)), known, c) for part in parts for a, known, b, c in part.T.tolist()]
    right = [
        (frozenset(two), 3, one)
        for two in combinations(range(10, 19), 2)
        for one in range(10, 19)
        if one not in two
    ]
    assert len(dealt) == len(right)
    assert {*dealt} == {*right}


def test_groups_of_slots_are_filled_without_repeating_a_board() -> None:
    chance = Random(1)
    for _ in range(20):
        sizes = [chance.randint(1, 3) for _ in range(3)]
        deck = chance.sample(range(52), sum(sizes) + chance.randint(0, 2))
        ends = [sum(sizes[: n + 1]) for n in range(3)]
        places = [[*range(end - size, end)] for end, size in zip(ends, sizes, strict=True)]
        boards = Boards([None] * sum(sizes), places, deck)
        filled = [
            tuple(frozenset(board[place] for place in some) for some in places)
            for part in boards.parts(100)
            for board in part.T.tolist()
        ]
        assert len({*filled}) == len(filled) == boards.count
        assert all(len(frozenset.union(*board)) == sum(sizes) for board in filled)
        assert frozenset().union(*chain.from_iterable(filled)) <= {*deck}


def test_deck_that_is_too_small_has_no_boards() -> None:
    assert Boards([None, None, None], [[0, 1], [2]], [7, 8]).count == 0


def test_slots_in_a_row_are_equivalent_if_no_word_refers_to_one() -> None:
    """docs/games.md: `board` means the whole board, and `line` means one of its lines."""
    assert slots_alike("no-limit-holdem") == ["abcde"]
    assert slots_alike("double-board-holdem") == ["abcde", "fghij"]


def test_slots_on_different_lines_are_not_equivalent() -> None:
    """Each of the triangle's six cards is on a different set of lines."""
    assert slots_alike("nightmare") == [*"abcdef"]


def test_all_slots_are_distinct_if_the_deal_determines_the_wild_cards() -> None:
    """The board's last card determines the wild rank."""
    document = {
        "name": "Last One Wild",
        "deal": ["2 down", "bet", "board a b c", "bet"],
        "board": ["a b c"],
        "hand": ["any 5"],
        "wild": ["rank of last board"],
        "shares": ["high"],
    }
    assert slots_alike(document) == [*"abc"]


def test_boards_are_counted_by_the_ranking_of_the_players_hands() -> None:
    """Aces against kings after the turn: aces win on 42 of 44 rivers, kings on two."""
    held = (["As", "Ah"], ["Kd", "Kc"])
    players = [{"name": down[0], "paid": 1, "down": down} for down in held]
    board = ["Qs", "9d", "4c", "5h", "2s"]
    hand, problems = read_record(
        {"variant": "no-limit-holdem", "button": 0, "players": players, "board": [board]}
    )
    assert hand is not None, problems
    open_cards = [parse_card(card) for card in board[:4]]
    seen = {*open_cards, *(parse_card(card) for down in held for card in down)}
    boards = Boards([*open_cards, None], [[4]], sorted(hand.game.deck - seen))
    rankings = standings(hand, boards, most=2)
    assert rankings is not None
    assert sorted(count for _, count in rankings) == [2, 42]
    assert standings(hand, boards, most=1) is None
