"""The engine and an independent slow implementation agree on games and hands (docs/games.md).

`python -m tests.helpers.rules.slow.compare` compares more of both.
"""

from itertools import islice
from random import Random

import pytest

from rules.documents import catalog
from tests.helpers.laws.examples import examples
from tests.helpers.rules.slow import compare
from tests.helpers.rules.slow.reading import UnsupportedWordError

HANDS = examples(5)  # of each game
DOCUMENTS = 600
UNREAD = 0.05  # maximum of random hands with cards that it leaves open


def both_say(found: compare.Record) -> bool:
    """Return whether the slow implementation supports all words of a hand, and check that both
    agree.
    """
    try:
        assert compare.difference(found) is None
    except UnsupportedWordError:
        return False
    return True


@pytest.mark.parametrize("family", sorted({catalog.family(slug) for slug in catalog.slugs()}))
def test_hands_of_the_catalog_are_settled_alike(family: str) -> None:
    chance = Random(family)
    slugs = [slug for slug in catalog.slugs() if catalog.family(slug) == family]
    assert all(map(both_say, compare.hands_of(slugs * HANDS, chance)))


def test_random_documents_are_settled_alike() -> None:
    """Each word of the grammar combined with each other; a meaningless pair is refused."""
    chance = Random(2)
    games = [text for text in islice(compare.random_games(chance), DOCUMENTS) if text]
    assert len(games) > DOCUMENTS / 8
    read = sum(map(both_say, compare.hands_of(games, chance)))
    assert read > len(games) * (1 - UNREAD)
