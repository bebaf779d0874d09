"""The engine and an independent, slow implementation agree on games and hands (docs/games.md).

`python -m tests.helpers.rules.slow.compare` compares more games and hands.
"""

import json
from itertools import islice
from random import Random

import pytest

from rules.api import problems, settle
from rules.documents import catalog
from rules.game.builder import WORDS
from tests.helpers.laws.examples import examples
from tests.helpers.laws.records import is_out
from tests.helpers.rules.slow import compare
from tests.helpers.rules.slow.reading import UnsupportedWordError

HANDS = examples(5)  # random hands per game
DOCUMENTS = 600
RUNS = 0.3  # fraction of hands that are run several times, if the game allows it
# maximum share of hands containing words that the slow implementation does not support
UNREAD = 0.05


def both_say(hand: compare.Record) -> bool:
    """Check that both implementations agree on a hand.

    Return whether the slow implementation supports its words.
    """
    try:
        assert compare.difference(hand) is None
    except UnsupportedWordError:
        return False
    return True


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.scheduled)])
@pytest.mark.parametrize("family", sorted({catalog.family(slug) for slug in catalog.slugs()}))
def test_both_implementations_settle_catalog_games_alike(family: str, every: int) -> None:
    """Every run settles every third game. The scheduled run settles all of them."""
    chance = Random(family)
    slugs = [slug for slug in catalog.slugs() if catalog.family(slug) == family][::every]
    assert all(map(both_say, compare.hands_of(slugs * HANDS, chance, RUNS)))


def test_both_implementations_give_every_run_to_the_player_who_did_not_muck() -> None:
    """docs/record.md, "Several runs": if all but one muck, the one left takes every run."""
    chance, read = Random(4), 0
    for hand in compare.hands_of(catalog.slugs(), chance, 1):
        left = [player for player in hand["players"] if not is_out(player)]
        if "runs" not in hand or len(left) < 2:
            continue
        for player in left[1:]:
            player["mucked"] = True
        if problems(hand):
            continue
        read += both_say(hand)
        won = settle(hand)["won"]
        assert [name for name, chips in won.items() if chips] in ([], [left[0]["name"]])
    assert read > 100


def test_both_implementations_settle_random_documents_alike() -> None:
    """Random documents combine all words in the grammar. Meaningless combinations are rejected."""
    chance = Random(2)
    games = [text for text in islice(compare.random_games(chance), DOCUMENTS) if text]
    assert len(games) > DOCUMENTS / 8
    read = sum(map(both_say, compare.hands_of(games, chance)))
    assert read > len(games) * (1 - UNREAD)


def test_both_implementations_settle_declared_shares_alike() -> None:
    """docs/rulings.md 6: each `lost_both` with ties, qualifiers, wild cards and side pots."""
    chance = Random(3)
    games = [
        text for text in islice(compare.random_games(chance, declares=True), DOCUMENTS) if text
    ]
    assert {json.loads(text)["lost_both"] for text in games} == set(WORDS["lost_both"])
    read = sum(map(both_say, compare.hands_of(games * HANDS, chance)))
    assert read > len(games) * HANDS * (1 - UNREAD)
