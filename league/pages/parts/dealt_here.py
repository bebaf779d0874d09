"""What a league deals, as the pages on which a game is chosen need it: with counts and stars."""

from dataclasses import replace

from league.deals.proposals import Dealt, dealt
from league.models import Night, User
from league.people.favourites import favourites
from league.stats.figures.games import hands_by_game


def dealt_here(night: Night, user: User) -> Dealt:
    """Return what was dealt, how often by the sums of the stats, and what people starred."""
    league = night.season.league_id
    stars = favourites(user, league)
    return replace(dealt(night), hands=hands_by_game(league), starred=stars.own, loved=stars.loved)
