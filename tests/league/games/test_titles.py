"""Titles of variations, options and choices."""

import pytest

from league.games import titles
from rules.documents import catalog, documents
from rules.documents.choice_words import choice_title
from tests.helpers.league.game_names import RANKS


def test_choices_have_one_name_on_pages_and_on_rules_pages() -> None:
    options = documents.game(catalog.document("omaha-8")).options
    for option in options:
        for choice in option.choices:
            if option.name != "declare":  # "declare" on the pages, after the option "High or low"
                title = titles.choice(option.name, choice.word)
                assert title.replace("-", " ") == choice_title(option.name, choice.word)


@pytest.mark.parametrize(
    ("modifier", "title"),
    [
        ("two-row", "Two rows"),
        ("oma-draw", "Omaha with a draw"),
        ("oma-draw 2 turn", "Omaha with a draw, 2 turn"),
        ("pass-the-trash 2 left", "Pass the trash, 2 left"),
    ],
)
def test_variation_has_a_title(modifier: str, title: str) -> None:
    assert titles.variation(modifier) == title


@pytest.mark.parametrize(("text", "title", "others", "rank"), RANKS)
def test_nearer_names_rank_higher(text: str, title: str, others: list[str], rank: int) -> None:
    """The script ranks the same names in tests/browser/test_finding.py."""
    assert titles.nearness(text, title, others) == rank


def test_dealt_games_rank_above_popular_games_among_equally_near_names() -> None:
    """A search for "hold" used to find Hold'em Duck Flush-Style first."""
    spanish = titles.nearness("hold", "Spanish Hold'em", ["Hold Me"])
    popular = titles.nearness("hold", "Texas Hold'em", ["Hold'em"], {"popular"})
    dealt = titles.nearness("hold", "Hold'em Duck Flush-Style", [], {"dealt"})
    assert spanish < popular < dealt < titles.nearness("hold", "Hold", [])
