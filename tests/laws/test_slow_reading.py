"""The engine and a slow reading of its own say the same of games and hands (docs/games.md).

More of both: `python -m tests.helpers.rules.slow.compare`.
"""

from itertools import islice
from random import Random

import pytest

from rules.documents import catalog
from tests.helpers.rules.slow import compare
from tests.helpers.rules.slow.reading import Unread

HANDS = 2  # of each game
DOCUMENTS = 600
UNREAD = 0.05  # of random hands at most: which wild card of equal hands, wild cards of the table


def both_say(found: compare.Record) -> bool:
    """Whether the slow reading knows all words of a hand; then both say the same."""
    try:
        assert compare.difference(found) is None
    except Unread:
        return False
    return True


@pytest.mark.parametrize("family", sorted({catalog.family(slug) for slug in catalog.slugs()}))
def test_hands_of_the_catalog_are_settled_alike(family: str) -> None:
    chance = Random(family)
    slugs = [slug for slug in catalog.slugs() if catalog.family(slug) == family]
    assert all(map(both_say, compare.hands_of(slugs * HANDS, chance)))


def test_random_documents_are_settled_alike() -> None:
    """Each word of the grammar beside each other word; a pair that means nothing is refused."""
    chance = Random(2)
    games = [text for text in islice(compare.random_games(chance), DOCUMENTS) if text]
    assert len(games) > DOCUMENTS / 8
    read = sum(map(both_say, compare.hands_of(games, chance)))
    assert read > len(games) * (1 - UNREAD)
