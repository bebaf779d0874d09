"""A season for feed and export tests: the demo, with mistakes in its last night."""

from datetime import timedelta
from uuid import uuid4

from django.core.management import call_command
from django.utils import timezone

from league.closing.close import Decisions, close_night
from league.models import League
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.record import record_hand
from league.stats.count import count_marked
from league.stats.luck import find_luck
from tests.helpers.league.leagues import holdem

NIGHTS = 7
MISTAKES = 4


def a_demo_season() -> League:
    """Create the season with counted stats. Every third hand of the last night was paid wrongly."""
    call_command("demo", players=8, hands=100 * NIGHTS, verbosity=0)
    league = League.objects.get()
    people = list(league.players.order_by("name")[:2])
    night = open_night(league, players=people, started_at=timezone.now() - timedelta(hours=5))
    for person in people:
        buy_in(night, person, 900, buy_in_id=uuid4(), by=None)
    names = [person.name for person in people]
    players = [seat | {"name": name} for seat, name in zip(holdem()["players"], names, strict=True)]
    for number in range(3 * MISTAKES):
        wrong = {} if number % 3 else {"took": {names[1]: 20}}
        at = night.started_at + timedelta(minutes=10 * number)
        record_hand(night, uuid4(), holdem(players=players, **wrong), by=None, made_at=at)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    while count_marked(league.pk):
        pass
    while find_luck(league.pk, most=500, deals=5):
        pass
    return league
