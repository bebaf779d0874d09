"""Modifiers: small changes to a game that can be combined (docs/rulings.md 15)."""

from typing import Any

import pytest

from rules import settle
from rules.documents import catalog, documents, modifiers
from rules.presentation.form import document_of, form, modifiers_that_fit
from tests.helpers.laws.answers import essence
from tests.helpers.rules.tables import deal, refused, seat, wins

OMAHA = (seat("ann", "Ah 2h Kd Ks"), seat("bob", "Qc Jd Tc 9h"))


def test_two_row_deals_two_rows_that_cannot_be_combined() -> None:
    """Each row has one more king for Ann's two kings, but no hand may use all four."""
    record = deal("omaha-8", *OMAHA, board="3s 4d 8h Qs Kc | Kh 7d 6s 5s 2c", modifiers=["two-row"])
    assert settle(record)["hands"]["ann"]["high"]["name"] == "three kings"


@pytest.mark.parametrize(
    ("name", "rows"), [("two-row", [5, 5]), ("floater", [4, 4, 1]), ("miami", [3, 3, 2])]
)
def test_board_in_the_form_has_the_modifiers_rows(name: str, rows: list[int]) -> None:
    for game in ("texas-holdem", "omaha-8", "big-omaha-8"):
        board = form(game, [name])["board"]
        assert [len(row["slots"]) for row in board] == rows


def test_floater_belongs_to_both_rows() -> None:
    board = "3s 4d 8h Qs | Kh Qd 6s 5s | Kc"
    record = deal("omaha-8", *OMAHA, board=board, modifiers=["floater"])
    assert settle(record)["hands"]["ann"]["high"]["name"] == "four kings"
    assert settle(record)["hands"]["bob"]["high"]["name"] == "two pair, kings and queens"


def test_turn_and_river_in_miami_belong_to_both_rows() -> None:
    board = "3s 4d 8h | Kh 6s 5s | Kc Qd"
    record = deal("omaha-8", *OMAHA, board=board, modifiers=["miami"])
    assert settle(record)["hands"]["ann"]["high"]["name"] == "four kings"


@pytest.mark.parametrize("implying", ["floater", "miami"])
def test_two_row_has_no_effect_if_another_modifier_implies_it(implying: str) -> None:
    plain = document_of("omaha-8", [implying])
    assert document_of("omaha-8", ["two-row", implying]) == plain
    assert document_of("omaha-8", [implying, "two-row"]) == plain


def test_either_or_allows_three_hole_cards_with_two_board_cards() -> None:
    """With the modifier, Ann's three queens down play with the two threes on the board."""
    players = (seat("ann", "Qc Qd Qh 2s"), seat("bob", "Ac Ad 4h 5h"))
    record = deal("omaha-8", *players, board="3s 3d 9h Ts Jc")
    assert settle(record)["hands"]["ann"]["high"]["name"] == "two pair, queens and threes"
    bada_bing = settle(record | {"modifiers": ["either-or"]})
    assert bada_bing["hands"]["ann"]["high"]["name"] == "full house, queens over threes"


def test_pat_hand_also_allows_the_five_hole_cards() -> None:
    players = (seat("ann", "2c 4c 6c 8c Tc"), seat("bob", "Ac Ad 4h 5h 7s"))
    record = deal("big-omaha-8", *players, board="3s 3d 9h Ts Jh")
    wins(record, "ann 0, bob 20")
    wins(record | {"modifiers": ["pat-hand"]}, "ann 20, bob 0")


def test_delayed_changes_only_the_deal() -> None:
    """docs/rulings.md 15."""
    assert document_of("big-omaha-8", ["delayed"])["hand"] == document_of("big-omaha-8")["hand"]
    assert form("big-omaha-8", ["delayed"])["down"] == {"least": 5, "most": 5}


def test_each_declared_row_is_a_share_for_high() -> None:
    """docs/rulings.md 15: with `declare` = `row`, a row's best high hand wins that row."""
    for game in ("texas-holdem", "omaha-8"):
        row_form = form(game, ["two-row"], {"declare": "row"})
        assert row_form["shares"] == ["row 1", "row 2"]
        assert row_form["declare"] == "row"
    record = deal(
        "omaha-8",
        seat("ann", "Kc Kd 2h 3h", declared="row 1"),
        seat("bob", "Ac Ad 4h 5h", declared="row 2"),
        board="Kh Ks 9d 8c 7s | 2s 3s 4d Td Jd",
        modifiers=["two-row"],
        options={"declare": "row"},
    )
    wins(record, "ann 10, bob 10")


@pytest.mark.parametrize(
    "orders",
    [
        (["either-or", "miami"], ["miami", "either-or"]),
        (["pat-hand", "two-row"], ["two-row", "pat-hand"]),
        (["either-or", "pat-hand", "floater"], ["floater", "pat-hand", "either-or"]),
    ],
)
def test_modifiers_can_be_combined_in_any_order(orders: tuple[list[str], list[str]]) -> None:
    """docs/rulings.md 15: every order that makes sense gives the same hands."""
    players = (seat("ann", "2c 4c 6c 8c Tc"), seat("bob", "Ac Ad 4h 5h 7s"))
    boards = {"miami": "3s 3d 9h | Ts Jh 9s | 2d 2h", "two-row": "3s 3d 9h Ts Jh | 9s 2d 2h 6d 6h",
              "floater": "3s 3d 9h Ts | 9s 2d 2h 6d | Jh"}  # fmt: skip
    board = next(boards[name] for name in orders[0] if name in boards)
    one, other = (
        essence(settle(deal("big-omaha-8", *players, board=board, modifiers=names)))
        for names in orders
    )
    assert one == other


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("five-card-21", ["miami"]),
        ("middlemost", ["two-row"]),
        ("high-noon", ["floater"]),
        ("nightmare", ["two-row"]),
        ("put-and-take", ["miami"]),
        ("omaha-8", ["pat-hand"]),  # only four cards are dealt face down
        ("texas-holdem", ["either-or"]),  # the game already allows any five cards to be played
        ("texas-holdem", ["pat-hand"]),
        ("omaha-8", ["either-or", "either-or"]),
        ("omaha-8", ["two-row", "two-row"]),
        ("omaha-8", ["floater", "miami"]),
        ("nightmare", ["either-or"]),
    ],
)
def test_modifier_that_does_not_fit_is_an_error(game: str, names: list[str]) -> None:
    record = deal(game, seat("ann", folded=True), seat("bob"), modifiers=names)
    refused(record, f"modifiers/{len(names) - 1} modifier-does-not-fit")


def test_unknown_modifiers_are_reported_with_their_position() -> None:
    record = deal("omaha-8", seat("ann"), seat("bob", folded=True), modifiers=["two-row", "tworow"])
    refused(record, "modifiers/1 unknown-modifier")
    assert "two-row" in settle(record)["errors"][0]["text"]


@pytest.mark.parametrize(
    "slug", ["omaha-8", "big-omaha-8", "texas-holdem", "nightmare", "middlemost"]
)
def test_form_offers_exactly_the_modifiers_that_a_record_accepts(slug: str) -> None:
    for name, reason in modifiers_that_fit(slug).items():
        record = deal(slug, seat("ann"), seat("bob", folded=True), modifiers=[name])
        assert ("errors" in settle(record)) == bool(reason), name


def test_modifier_does_not_change_the_catalog_document() -> None:
    before = documents.content_hash(catalog.document("omaha-8"))
    modifiers.apply(catalog.document("omaha-8"), ["miami", "either-or"])
    assert documents.content_hash(catalog.document("omaha-8")) == before


def test_omaha_with_modifiers_matches_the_documented_document() -> None:
    """docs/games.md contains the document of big-omaha-8 + miami + either-or + pat-hand."""
    document: dict[str, Any] = document_of("big-omaha-8", ["miami", "either-or", "pat-hand"])
    assert document["board"] == ["a b c", "a2 b2 c2", "d e"]
    assert document["lines"] == ["a b c d e", "a2 b2 c2 d e"]
    assert document["hand"] == ["2 down + 3 line", "3 down + 2 line", "5 down"]
    assert document_of("omaha-8", ["two-row"])["shares"] == [
        "high when not declare row",
        "low: {low} when not declare row",
        "row 1: high on line 1 when declare row",
        "row 2: high on line 2 when declare row",
    ]
