"""Every game that the survey of 303 names is a game of the catalog, by its name or another of its
names; what was surveyed twice, or differs by a choice alone, is one game."""

import json
from pathlib import Path

import pytest

from rules.documents import catalog

TEXT = Path(__file__).with_name("surveyed.jsonl").read_text("utf-8")
SURVEYED = {line["game"]: line["surveyed"] for line in map(json.loads, TEXT.splitlines())}
HOME_GAMES = 60  # at least, that the survey lacks


@pytest.mark.parametrize("slug", SURVEYED)
def test_a_surveyed_game_is_found_by_the_name_that_it_had(slug: str) -> None:
    for name in SURVEYED[slug]:
        assert slug in catalog.near(name), name


def test_the_survey_is_whole_and_the_catalog_has_more() -> None:
    assert sum(map(len, SURVEYED.values())) == 303
    assert len({*catalog.slugs()} - {*SURVEYED}) >= HOME_GAMES


@pytest.mark.parametrize("slug", catalog.slugs())
def test_a_game_says_where_its_rules_are_written(slug: str) -> None:
    assert catalog.document(slug)["source"]
