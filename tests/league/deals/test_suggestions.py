"""The three suggested games are random, fit the table and were not dealt recently."""

from hypothesis import given
from hypothesis import strategies as st

from league.deals.proposals import MOST_SUGGESTED, SEEDS, Candidate, Why, suggest
from league.games.odds import players_of
from rules.documents import catalog

FAMILIES = ("omaha", "stud", "draw", "guts")
SIZES = st.tuples(st.integers(2, 6), st.integers(2, 10)).map(
    lambda each: range(each[0], each[1] + 1)
)
CANDIDATES = st.builds(
    Candidate,
    slug=st.text("abcdefgh-1234", min_size=1, max_size=12),
    family=st.sampled_from(FAMILIES),
    players=SIZES,
    loved=st.booleans(),
    dealt=st.booleans(),
    lately=st.booleans(),
)
GAMES = st.lists(CANDIDATES, max_size=25, unique_by=lambda each: each.slug)
SEED = st.integers(0, SEEDS - 1)
SEATED = st.integers(2, 9)


def fitting(games: list[Candidate], seated: int) -> list[Candidate]:
    return [each for each in games if seated in each.players and not each.lately]


@given(GAMES, SEATED, SEED)
def test_suggestions_fit_the_table_and_have_not_been_dealt_recently(
    games: list[Candidate], seated: int, seed: int
) -> None:
    fit = fitting(games, seated)
    suggestions = suggest(games, seated, seed)
    assert all(candidate in fit for candidate in suggestions)
    assert (
        len({candidate.slug for candidate in suggestions})
        == len(suggestions)
        == min(MOST_SUGGESTED, len(fit))
    )


@given(GAMES, SEATED, SEED)
def test_suggestions_cover_as_many_families_as_possible(
    games: list[Candidate], seated: int, seed: int
) -> None:
    there = {candidate.family for candidate in fitting(games, seated)}
    suggestions = suggest(games, seated, seed)
    assert len({candidate.family for candidate in suggestions}) == min(len(suggestions), len(there))


@given(GAMES, SEATED, SEED)
def test_suggestions_include_a_favourite_a_dealt_and_a_new_game(
    games: list[Candidate], seated: int, seed: int
) -> None:
    """Each game has its own family here, because a shared family could rule out a suggestion."""
    apart = [
        Candidate(
            candidate.slug,
            candidate.slug,
            candidate.players,
            candidate.loved,
            candidate.dealt,
            candidate.lately,
        )
        for candidate in games
    ]
    there = {candidate.why for candidate in fitting(apart, seated)}
    assert there <= {candidate.why for candidate in suggest(apart, seated, seed)}


@given(st.permutations(list(catalog.slugs())[:40]), SEATED, SEED)
def test_same_seed_draws_the_same_games_in_any_order(
    slugs: list[str], seated: int, seed: int
) -> None:
    found = [suggest(of_catalog(each), seated, seed) for each in (slugs, sorted(slugs))]
    assert found[0] == found[1]


def test_repeated_draws_suggest_most_games() -> None:
    """With about 320 games, 1,500 random draws miss one game in a hundred."""
    games = of_catalog(list(catalog.slugs()))
    drawn = {each.slug for seed in range(500) for each in suggest(games, 6, seed)}
    fit = [each for each in games if 6 in each.players]
    assert len(drawn) > 0.9 * len(fit)


def test_starred_game_is_a_favourite_even_if_it_was_never_dealt() -> None:
    assert Candidate("a", "b", range(2, 8), loved=True).why == Why.FAVOURITE
    assert Candidate("a", "b", range(2, 8), dealt=True).why == Why.DEALT
    assert Candidate("a", "b", range(2, 8)).why == Why.NEW


def of_catalog(slugs: list[str]) -> list[Candidate]:
    return [
        Candidate(slug, catalog.family(slug), players_of(catalog.document(slug))) for slug in slugs
    ]
