"""The games dealt in a league, with counts and stars, for pages that offer a game choice."""

from dataclasses import replace

from league.deals.proposals import Dealt, dealt
from league.models import Night, User
from league.people.favourites import favourites
from league.stats.figures.games import hands_by_game


def dealt_here(night: Night, user: User) -> Dealt:
    """Return the dealt games, their counts from the statistics, and the users' stars."""
    league = night.season.league_id
    stars = favourites(user, league)
    return replace(dealt(night), hands=hands_by_game(league), starred=stars.own, loved=stars.loved)
