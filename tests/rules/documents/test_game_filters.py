"""Filter chips for the game list. Each selects a trait, and games must match all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.documents import catalog
from rules.documents.catalog import (
    KINDS,
    Chip,
    FilterTraits,
    counts_after,
    filter_traits,
    has_all,
    tapped,
    traits_of,
)

GAMES = {slug: filter_traits(traits_of(catalog.document(slug))) for slug in catalog.slugs()}
CHIPS = [
    *(Chip("kind", kind) for kind in KINDS),
    *(Chip("players", str(number)) for number in range(2, 11)),
    *(Chip("cards", str(number)) for number in range(1, 10)),
]
SOME = st.lists(st.sampled_from(CHIPS), max_size=6)


def chosen(taps: list[Chip]) -> frozenset[Chip]:
    made: frozenset[Chip] = frozenset()
    for chip in taps:
        made = tapped(made, chip)
    return made


@given(SOME)
def test_selecting_a_chip_narrows_the_list_or_replaces_another_chip(taps: list[Chip]) -> None:
    before = frozenset[Chip]()
    for chip in taps:
        after = tapped(before, chip)
        if before <= after:
            left = {slug for slug, game in GAMES.items() if has_all(game, after)}
            assert left <= {slug for slug, game in GAMES.items() if has_all(game, before)}
        before = after


@given(SOME)
def test_exclusive_chips_are_never_selected_together(taps: list[Chip]) -> None:
    selected = chosen(taps)
    assert len([chip for chip in selected if chip.group == "players"]) <= 1
    assert len([chip for chip in selected if chip.group == "cards"]) <= 1
    assert not {Chip("kind", "short"), Chip("kind", "long")} <= selected


@given(SOME)
def test_chip_shows_how_many_games_remain_after_a_tap(taps: list[Chip]) -> None:
    selected = chosen(taps)
    for chip, number in counts_after(GAMES.values(), selected, CHIPS).items():
        wanted = tapped(selected, chip)
        assert number == sum(all(game.has(each) for each in wanted) for game in GAMES.values())


@pytest.mark.parametrize(
    ("slug", "kinds", "cards"),
    [
        ("omaha-8", {"split", "common"}, 4),
        ("baseball", {"wild", "long"}, 7),  # long: seven cards, five rounds
        ("five-card-draw", {"draws", "short"}, 5),
        ("texas-holdem", {"common"}, 2),
    ],
)
def test_well_known_game_has_the_traits_given_by_its_sources(
    slug: str, kinds: set[str], cards: int
) -> None:
    """The expected traits follow from the sources cited in the catalog documents."""
    assert GAMES[slug].kinds == kinds
    assert GAMES[slug].has(Chip("cards", str(cards)))


def test_game_with_several_deals_is_long_even_with_few_rounds() -> None:
    several = {slug for slug in GAMES if traits_of(catalog.document(slug)).several_deals}
    assert several
    assert all("long" in GAMES[slug].kinds for slug in several)


def test_games_dealt_in_a_league_have_their_own_trait() -> None:
    found = filter_traits(traits_of(catalog.document("omaha-8")), ["dealt"])
    assert found == FilterTraits(range(2, 11), 4, frozenset({"split", "common", "dealt"}))
