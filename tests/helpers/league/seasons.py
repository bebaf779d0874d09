"""A season for the tests, created with the service's own functions."""

from uuid import uuid4

from league.closing.payments import receive
from league.models import League, Night
from league.nights.buy_ins import buy_in
from league.nights.nights import carry
from league.nights.opening import open_night
from league.recording.corrections import revise_hand, void_hand
from tests.helpers.league.leagues import holdem, player, qualifiers
from tests.helpers.league.nights import closed, dealt


def a_season(night: Night) -> League:
    """Create two nights with every kind of event."""
    eve = player(night, "dan")
    buy_in(night, player(night, "cat"), 30, buy_in_id=uuid4(), by=None, banker=eve)
    hand = dealt(night, holdem(took={"bob": 20}))
    void_hand(dealt(night), by=None)
    dealt(night, qualifiers())
    first = closed(night, cat=129, bears="ann")
    receive(first.plan.payments.first(), uuid4(), 1, by=None)
    later = open_night(night.league, players=[player(night, "ann"), player(night, "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 50, buy_in_id=uuid4(), by=None)
    dealt(later, holdem(carried=carry(later)))
    closed(later)
    revise_hand(hand, uuid4(), holdem(), by=None)
    open_night(night.league)
    return night.league
