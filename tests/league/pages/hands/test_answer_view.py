"""A hand's cards are in the same order as in its name. Cards without a hand have a note."""

from typing import Any

import pytest

from league.hands.pictures import as_made
from league.pages.parts.answer_view import view
from rules import settle
from rules.documents import catalog


@pytest.mark.parametrize(
    ("name", "cards", "plays_as", "stand"),
    [
        ("flush, seven high", "3d 7d 6d 2d 4d", {}, "7d 6d 4d 3d 2d"),
        ("full house, kings over fours", "4s Kd Kh 4h Ks", {}, "Kd Kh Ks 4s 4h"),
        ("two pair, kings and fours", "4s Kd Ac 4h Ks", {}, "Kd Ks 4s 4h Ac"),
        ("straight, five high", "As 2d 4c 3h 5s", {}, "5s 4c 3h 2d As"),
        ("straight, ace high", "Ks Td Ac Jh Qs", {}, "Ac Ks Qs Jh Td"),
        ("7-4-3-2-A", "7d 3c 4s 2d Ah", {}, "7d 4s 3c 2d Ah"),
        ("A-10-4-3-2", "Ts 3c 4s 2d Ah", {}, "Ah Ts 4s 3c 2d"),
        ("four aces", "Ah 9d 9h As Kc", {"9d": "Ad", "9h": "Ac"}, "Ah 9d 9h As Kc"),
        ("4-card badugi A-5-4-2", "2d 4s Ac 5h", {}, "Ac 5h 4s 2d"),
        ("king of hearts", "Kh", {}, "Kh"),
        ("19 points", "9d *1 Ts", {}, "Ts 9d *1"),
        ("21 points", "2c 2d Ac Qh 6s", {}, "Ac Qh 6s 2c 2d"),
    ],
)
def test_cards_are_shown_as_recorded(
    name: str, cards: str, plays_as: dict[str, str], stand: str
) -> None:
    """A flush's five cards used to be in random order, and a low started in the middle."""
    assert as_made(cards.split(), plays_as, name) == stand.split()


@pytest.mark.parametrize(
    ("game", "players", "notes"),
    [
        ("texas-holdem", {"bob": {"folded": True}}, {"bob": "Folded"}),
        ("texas-holdem", {"bob": {"mucked": True}}, {"bob": "Mucked"}),
        (
            "texas-holdem",
            {"bob": {"folded": True}, "cat": {"folded": True}},
            {"ann": "Everyone else folded", "bob": "Folded", "cat": "Folded"},
        ),
        ("omaha-8", {"bob": {}}, {}),
    ],
)
def test_cards_without_a_hand_have_a_note(
    game: str, players: dict[str, dict[str, bool]], notes: dict[str, str]
) -> None:
    """The page showed a name and cards without a word."""
    cards = {"ann": "Ah Ad 2c 3c", "bob": "Kh Kd 4c 5c", "cat": "Qh Qd 6c 7c"}
    count = 2 if game == "texas-holdem" else 4
    record = {
        "variant": game,
        "button": 0,
        "players": [
            {"name": name, "paid": 2, "down": down.split()[:count]} | players.get(name, {})
            for name, down in cards.items()
        ],
        "board": ["9s 9h 8d Jc 2s".split()],
    }
    shown = view(record, settle(record), lambda: catalog.document(game)).shown
    assert {each.name: each.note for each in shown if each.note} == notes


def test_cards_that_do_not_qualify_have_a_note() -> None:
    """In Qualifiers, the high needs three of a kind, and the low a seven."""
    down = {"ann": "Qh 4c 6h 9c Jd", "bob": "Ah Ad Ac 2c 3c"}
    players = [{"name": name, "paid": 2, "down": cards.split()} for name, cards in down.items()]
    record = {"variant": "qualifiers", "button": 0, "players": players}
    record["board"] = [["Kc", "9d"]]
    shown = view(record, settle(record), lambda: catalog.document("qualifiers")).shown
    assert [(each.name, each.note) for each in shown] == [
        ("ann", "No qualifying hand"),
        ("bob", ""),
    ]


@pytest.mark.parametrize(
    ("record", "notes"),
    [
        (
            {
                "variant": "five-card-21",
                "players": [
                    {"name": "ann", "paid": 10, "down": "Ah Ad 4c 5s Ts".split()},
                    {"name": "bob", "paid": 10, "down": "Kh Qd 2s 3c 4h".split()},
                ],
            },
            {"bob": "Over 21 (29)"},
        ),
        (
            {
                "variant": "kitty-guts",
                "players": [
                    {"name": "ann", "paid": 1, "down": "Ks Kd 2c".split()},
                    {"name": "bob", "paid": 1, "down": "9s 9d 3c".split()},
                ],
                "board": ["Qs Qd 4c".split()],
            },
            {},
        ),
    ],
)
def test_note_gives_the_points_and_repeats_no_sentence(
    record: dict[str, Any], notes: dict[str, str]
) -> None:
    """Bob has 29 points. In Kitty Guts, the story says that Bob stayed in and lost."""
    record = record | {"button": 0}
    answer = view(record, settle(record), lambda: catalog.document(record["variant"]))
    assert {each.name: each.note for each in answer.shown if each.note} == notes
