"""A league with every kind of row, and further actions for it.

The rows are created with the service's own functions. Other processes run this module with
`manage.py shell` to create the league in a different database.
"""

from datetime import time, timedelta
from uuid import uuid4

from django.core.management import call_command
from django.utils import timezone

from league.charges.charging import NewCharge, Share, charge
from league.chat import services
from league.closing import receipts
from league.closing.close import reopen_night
from league.closing.payments import receive
from league.games import house_games
from league.models import HouseGame, League, Night, Player, Role, Scope, User
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.nights.share_links import share_hand
from league.payment_methods.methods import add_method
from league.people import api_keys, devices
from league.people.joining import join
from league.people.leagues import add_member, add_player, renew_code
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, upcoming
from league.planned_nights.series import Rhythm, make_series
from league.privacy.erasure import erase_user
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from league.tournaments.field import Act
from league.tournaments.finishing import finish
from league.webhooks import management
from rules import rename_players
from tests.helpers.league.house_games import CROSS, crossed
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import closed
from tests.helpers.league.tournaments import a_tournament, entered, happens

# The demo already has players named Ann and Bob.
CALLED = {"ann": "Una", "bob": "Ugo"}


def a_played_league() -> League:
    """Create the demo with a closed, paid night, an open night, and rows of every other kind."""
    call_command("demo", "--hands", "20")
    league = League.objects.get()
    host = league.created_by
    assert host
    _around(league, host)
    last = Night.objects.get()
    receive(closed(last, by=host).plan.payments.first(), uuid4(), 1, by=host)
    receipts.share(last, by=host)
    share_hand(last.hands.get(number=1), by=host)
    _erased(league, host)
    night = open_night(league, players=[add_player(league, name) for name in CALLED.values()])
    deal(night, host)
    _beside_the_play(night, host)
    _before_the_next(league, host)
    count_marked(league.pk)
    return league


def _beside_the_play(night: Night, host: User) -> None:
    """Una pays for a pizza and wins a tournament, and both pay into the fund that she keeps."""
    una, ugo = (Player.objects.get(league=night.league, name=name) for name in CALLED.values())
    pizza = {una: Share(gets=12, owes=6), ugo: Share(owes=6)}
    fund = {una: Share(owes=2), ugo: Share(owes=2)}
    for wanted in (
        NewCharge(kind="cost", title="Pizza", shares=pizza),
        NewCharge(kind="fund", shares=fund, fund=4, keeper=una),
    ):
        charge(night, wanted, charge_id=uuid4(), by=host)
    tournament = a_tournament(night, name="Una's first", bounty=0)
    entered(tournament, *CALLED.values())
    happens(tournament, Act.OUT, ugo, una)
    finish(tournament, by=host)


def _before_the_next(league: League, host: User) -> None:
    """Una accepts the first night of a biweekly series, and the host adds a payment link."""
    first = timezone.localdate() + timedelta(days=3)
    rhythm = Rhythm(starts_on=first, at=time(20), every_weeks=2)
    make_series(league, uuid4(), rhythm, Details(name="Series", seats=8), by=host)
    una = Player.objects.get(league=league, name=CALLED["ann"])
    answer_for(upcoming(league)[0], una, "yes", guests=1, brings="two decks")
    add_method(host, "paypal", "thehost")


def deal(night: Night, by: User) -> None:
    """Both players buy chips, and one of two recorded hands is corrected."""
    for name in CALLED.values():
        buyer = Player.objects.get(league=night.league, name=name)
        buy_in(night, buyer, 100, buy_in_id=uuid4(), by=by)
    cross = rename_players(crossed(HouseGame.objects.get().slug), CALLED)
    hand = record_hand(night, uuid4(), cross, by=by).hand
    revise_hand(hand, uuid4(), cross | {"took": {"Ugo": 20}}, by=by)
    record_hand(night, uuid4(), rename_players(holdem(), CALLED), by=by)


def go_on(league: League) -> None:
    """Add rows of every kind that gets a new number in the ledger, the log and the stats."""
    host = league.created_by
    assert host
    night = Night.objects.get(season__league=league, state=Night.State.OPEN)
    deal(night, host)
    closed(night, by=host)
    before = Night.objects.exclude(pk=night.pk).get()
    reopen_night(before, by=host)
    closed(before, by=host)
    renew_code(league, by=host)
    _erased(league, host)
    count_marked(league.pk)


def _around(league: League, host: User) -> None:
    game = house_games.write(league, CROSS, by=host)
    house_games.revise(game, f"{CROSS}# as of now\n", by=host)
    hook, _ = management.create(league, uuid4(), "https://hooks.example.org/a", by=host)
    management.ping(hook)
    services.add_channel(league, uuid4(), "https://ntfy.example.org/thursdays", by=host)
    api_keys.make_token(league, host, "bot", Scope.READ)
    api_keys.make_link(league, "sheet", by=host)
    renew_code(league, by=host)
    joined = add_player(league, "eva")
    user = join(league, joined)
    devices.remember(league, user, joined, session_key="opens-the-door", kind="Chrome")


def _erased(league: League, host: User) -> None:
    """Erase a person who has played."""
    user = User.objects.create_user(f"gone-{uuid4().hex[:8]}", email="gone@example.org")
    add_member(league, user, Role.SCOREKEEPER)
    player = league.players.filter(seats__isnull=False, user=None).order_by("name").first()
    Player.objects.filter(pk=player.pk if player else None).update(user=user)
    erase_user(user, by=host)
