"""Every game in the survey of 303 names is in the catalog, by its name or an alias.

Games that were surveyed twice, or differ only in a choice, count as one game.
"""

import json
from pathlib import Path

import pytest

from rules.documents import catalog

TEXT = Path(__file__).with_name("surveyed.jsonl").read_text("utf-8")
SURVEYED = {line["game"]: line["surveyed"] for line in map(json.loads, TEXT.splitlines())}
HOME_GAMES = 60  # minimum number of games that are not in the survey


def test_surveyed_game_can_be_found_by_its_name_in_the_survey(subtests: pytest.Subtests) -> None:
    for slug, names in SURVEYED.items():
        with subtests.test(slug=slug):
            for name in names:
                assert slug in catalog.candidates(name), name


def test_catalog_has_more_games_than_the_complete_survey() -> None:
    assert sum(map(len, SURVEYED.values())) == 303
    assert len({*catalog.slugs()} - {*SURVEYED}) >= HOME_GAMES


def test_every_game_cites_the_source_of_its_rules(subtests: pytest.Subtests) -> None:
    for slug in catalog.slugs():
        with subtests.test(slug=slug):
            assert catalog.document(slug)["source"]
