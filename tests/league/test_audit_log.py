"""Activity log entries are written with their action and never changed."""

import re
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.observability.monitoring import Database
from league.audit_log import Kind, LoggedAction, log_action, logged_actions
from league.charges.charging import NewCharge, Share, charge
from league.charges.charging import undo as undo_charge
from league.closing import payments
from league.closing.cash_outs import cash_out
from league.closing.chip_count import count
from league.closing.close import reopen_night
from league.closing.payment_plans import settle_season
from league.games.house_games import write
from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, record_plan
from league.imports.planning import plan
from league.models import (
    Charge,
    League,
    LogbookEntry,
    Membership,
    Night,
    PaymentPlan,
    Player,
    Role,
    Scope,
    SettlementPeriod,
    Tournament,
    User,
)
from league.nights.buy_ins import buy_in, undo
from league.options import Options, choose, options_of
from league.pages.leagues.activity_log import CHOICES, WORDS
from league.people import api_keys, devices, members
from league.people.joining import join
from league.people.leagues import add_member, renew_code
from league.planned_nights import planning
from league.privacy import erasure
from league.recording.corrections import revise_hand, void_hand
from league.scoring.season_table import Option
from league.scoring.season_table import choose as choose_scoring
from league.tournaments.clock import Level
from league.tournaments.events import enter_players, go_to_level, pause_clock, start_clock
from league.tournaments.finishing import finish, resume
from league.tournaments.making import Details, call_off, change, make
from ledger.models import Transfer
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import a_league, a_user, holdem, player
from tests.helpers.league.nights import a_table, again, closed, dealt
from tests.helpers.league.pages import html
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

LEVELS = (Level(600, 25, 50), Level(600, 50, 100))
TOURNAMENT = Details(entry=20, stack=5000, levels=LEVELS)
PASSWORD = "a dealer names the game"


@pytest.fixture
def host() -> User:
    return User.objects.create_user("joel", password=PASSWORD)


@pytest.fixture
def league(host: User) -> League:
    return a_league(host)


def log_entries(league: League) -> list[tuple[str, User | None]]:
    """Return the activity log's entries, oldest first."""
    return [(each.kind, each.by) for each in reversed(logged_actions(league))]


def last(league: League) -> LoggedAction:
    return logged_actions(league)[0]


def test_keys_are_logged_without_their_secrets(league: League, host: User) -> None:
    token, text = api_keys.make_token(league, host, "bot", Scope.READ)
    link, key = api_keys.make_link(league, "sheet", by=host)
    api_keys.revoke_token(league, token.id, by=host)
    api_keys.revoke_link(league, link.pk, by=host)
    api_keys.revoke_link(league, link.pk, by=host)
    kinds = (Kind.TOKEN_MADE, Kind.LINK_MADE, Kind.TOKEN_ENDED, Kind.LINK_ENDED)
    assert log_entries(league) == [(kind, host) for kind in kinds]
    entries = str(list(LogbookEntry.objects.values()))
    assert text not in entries
    assert key not in entries


def test_changes_to_people_codes_and_settings_are_logged(league: League, host: User) -> None:
    bob = a_user("bob")
    member = add_member(league, bob, Role.PLAYER)
    members.change_role(member, Role.SCOREKEEPER, by=host)
    members.remove(member, by=host)
    old = league.code
    renew_code(league, by=host)
    choose(league, replace(options_of(league), closing_hour=4), by=host)
    choose(league, replace(options_of(league), closing_hour=4), by=host)
    kinds = (Kind.ROLE_CHANGED, Kind.MEMBER_REMOVED, Kind.CODE_RENEWED, Kind.OPTIONS_CHANGED)
    assert log_entries(league) == [(kind, host) for kind in kinds]
    assert last(league).about == {"changed": "closing_hour", "values": {"closing_hour": [6, 4]}}
    as_the_page = replace(options_of(league), closing_hour=4, denominations=(1, 5, 10, 25, 100))
    choose(league, as_the_page, by=host)  # unchanged denominations
    assert len(log_entries(league)) == len(kinds)
    assert logged_actions(league)[-1].of == bob
    assert logged_actions(league)[-1].about == {"role": "scorekeeper"}
    assert old not in str(list(LogbookEntry.objects.values()))


def test_signing_out_a_phone_is_logged(league: League, host: User) -> None:
    ann = Player.objects.create(league=league, name="ann")
    phone = join(league, ann)
    ann.refresh_from_db()
    device = devices.remember(league, phone, ann, session_key="x", kind="")
    devices.sign_out(device, by=host)
    assert (last(league).kind, last(league).by, last(league).of) == (
        Kind.PHONE_SIGNED_OUT,
        host,
        phone,
    )


def test_log_includes_actions_stored_in_other_tables(host: User) -> None:
    night = a_table()
    hand, other = dealt(night), dealt(night)
    revise_hand(hand, uuid4(), holdem(), by=host, reason="it was ann")
    void_hand(other, by=host)
    closing = closed(night, by=host)
    planned = closing.plan.payments.get()
    payments.promise(planned, uuid4(), planned.chips, by=host)
    reopen_night(night, by=host)
    erasure.erase_player(player(night, "dan"), by=host)
    assert [entry for entry in log_entries(night.league) if entry[1]] == [
        ("hand-revised", host),
        ("hand-voided", host),
        ("night-closed", host),
        ("payment-promised", host),
        ("night-reopened", host),
        ("erased", host),
    ]
    [revised] = [each for each in logged_actions(night.league) if each.kind == "hand-revised"]
    assert revised.about["reason"] == "it was ann"
    assert not LogbookEntry.objects.exists()


@pytest.fixture
def night_with_money(host: User) -> Night:
    """A night in which the host sells and pays out chips, charges, counts, and undoes it all."""
    night = a_table()
    Membership.objects.filter(league=night.league).update(user=host)
    ann, bob = player(night, "ann"), player(night, "bob")
    bought = buy_in(night, ann, 40, buy_in_id=uuid4(), by=host, banker=bob)
    cashed = cash_out(night, bob, 20, cash_out_id=uuid4(), by=host)
    shares = {ann: Share(gets=30), bob: Share(owes=30)}
    pizza = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
    paid = charge(night, pizza, charge_id=uuid4(), by=host)
    undo_charge(paid, by=host)
    undo(cashed, by=host)
    undo(bought, by=host)
    count(night, ann, 90, count_id=uuid4(), by=host)
    count(night, ann, None, count_id=uuid4(), by=host)
    return night


def test_log_includes_chips_charges_and_their_undoing(night_with_money: Night, host: User) -> None:
    actions = logged_actions(night_with_money.league, only_money=True)
    by_host = [action for action in reversed(actions) if action.by == host]
    assert [(action.kind, action.worth) for action in by_host[-8:]] == [
        ("buy-in", "0.40 USD"),
        ("cash-out", "0.20 USD"),
        ("charge", "0.30 USD"),
        ("charge-undone", "0.30 USD"),
        ("cash-out-undone", "0.20 USD"),
        ("buy-in-undone", "0.40 USD"),
        ("chip-count", "0.90 USD"),
        ("count-removed", ""),
    ]
    assert by_host[-8].about | {"night_id": ""} == {
        "night": "Night 1",
        "night_id": "",
        "player": "ann",
        "chips": 40,
        "banker": "bob",
    }


def test_promise_that_is_restored_is_logged_once(host: User) -> None:
    night = a_table()
    dealt(night)
    planned = closed(night).plan.payments.first()
    sent = payments.promise(planned, uuid4(), planned.chips, by=a_user("bob"))
    payments.withdraw(payments.confirm(sent, by=host), by=host)
    kinds = [kind for kind, _ in log_entries(night.league) if kind.startswith("payment")]
    assert kinds == ["payment-promised", "payment-confirmed", "payment-withdrawn"]


def test_log_page_names_what_was_undone_of_a_payment(host: User) -> None:
    """Both undos of a payment had the same text."""
    night = a_table()
    add_member(night.league, host, Role.HOST)
    dealt(night)
    planned = closed(night).plan.payments.first()
    sent = payments.promise(planned, uuid4(), planned.chips, by=a_user("bob"))
    payments.withdraw(payments.confirm(sent, by=host), by=host)
    payments.withdraw(planned.paid.get(state="promised"), by=host)
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{night.league.pk}/logbook?only=money"))
    assert (
        page.count("undid “received” for the payment of 10 chips (0.10 USD) from bob to ann") == 1
    )
    assert page.count("undid “sent” for the payment of 10 chips (0.10 USD) from bob to ann") == 1


def test_planning_a_seasons_payments_is_logged(host: User) -> None:
    """Planning replaces the unsent payments of all nights."""
    night = a_table(settles=SettlementPeriod.SEASON)
    add_member(night.league, host, Role.HOST)
    dealt(night)
    closed(night)
    settle_season(night.season, uuid4(), by=host)
    [action] = [each for each in logged_actions(night.league) if each.kind == "season-planned"]
    assert (action.by, action.about) == (host, {"season": "Season 1"})
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{night.league.pk}/logbook?only=money"))
    assert "planned the payments of Season 1" in page


def test_only_settling_a_season_that_changes_payments_is_logged_as_planning(host: User) -> None:
    """Plans by corrections and empty plans looked as if somebody had tapped "Settle up"."""
    night = a_table(settles=SettlementPeriod.SEASON)
    dealt(night)
    closed(night)
    settle_season(night.season, uuid4(), by=host, end=True)
    reopen_night(again(night), by=host)
    dealt(again(night))
    closed(again(night))
    settle_season(night.season, uuid4(), by=host)
    assert PaymentPlan.objects.filter(closing=None).count() == 3
    logged = [each.kind for each in logged_actions(night.league)]
    assert logged.count("season-planned") == 1


def test_single_chip_is_logged_in_the_singular(host: User) -> None:
    night = a_table()
    buy_in(night, player(night, "ann"), 1, buy_in_id=uuid4(), by=host)
    add_member(night.league, host, Role.HOST)
    client = Client()
    client.force_login(host)
    assert "1 chip (0.01 USD)" in html(client.get(f"/leagues/{night.league.pk}/logbook"))


def test_money_can_be_listed_without_other_actions(night_with_money: Night, host: User) -> None:
    renew_code(night_with_money.league, by=host)
    client = Client()
    client.force_login(host)
    at = f"/leagues/{night_with_money.league.pk}/logbook"
    page = html(client.get(f"{at}?only=money"))
    assert "created a new league code" not in page
    assert "created a new league code" in html(client.get(at))
    link = f'<a class="whole" href="/nights/{night_with_money.pk}">Night 1</a>'
    assert f"recorded ann&#x27;s buy-in of 40 chips (0.40 USD) in {link}" in page
    assert "in cash, bob" in page
    assert f"charged 30 chips (0.30 USD) in {link}: Cost" in page
    assert "“pizza”" in page


def test_latest_entry_comes_first_and_earlier_ones_can_be_requested(
    league: League, host: User
) -> None:
    for _ in range(5):
        renew_code(league, by=host)
    first = logged_actions(league, most=2)
    rest = logged_actions(league, before=first[-1].at, most=10)
    times = [each.at for each in (*first, *rest)]
    assert times == sorted(times, reverse=True)
    assert len(set(times)) == 5


@pytest.mark.parametrize("statement", ["UPDATE {} SET kind = 'imported'", "DELETE FROM {}"])
def test_database_rejects_changes_to_log_entries(league: League, statement: str) -> None:
    renew_code(league, by=None)
    with (
        pytest.raises(DatabaseError, match="noted is kept as it was"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format("league_logbookentry"))
    assert last(league).kind == Kind.CODE_RENEWED


def test_entries_remain_after_the_account_is_deleted(league: League) -> None:
    keeper = a_user("keeper")
    add_member(league, keeper, Role.SCOREKEEPER)
    log_action(Kind.CODE_RENEWED, by=keeper, league=league)
    keeper.delete()
    assert log_entries(league) == [(Kind.CODE_RENEWED, None)]


# Signing in


@pytest.fixture(autouse=True)
def _nobody_has_guessed() -> None:
    cache.clear()


def sign_in(password: str, name: str = "joel") -> None:
    Client().post("/sign-in", {"username": name, "password": password})


def test_sign_ins_and_failed_attempts_are_logged_in_the_users_leagues(
    league: League, host: User
) -> None:
    sign_in(PASSWORD)
    sign_in("a wrong one")
    assert log_entries(league) == [(Kind.SIGNED_IN, host), (Kind.WRONG_PASSWORD, host)]
    assert log_entries(a_league(a_user("other"))) == []
    assert "a wrong one" not in str(list(LogbookEntry.objects.values()))


def test_lockout_is_logged_once_and_later_attempts_are_not(league: League, host: User) -> None:
    for _ in range(12):
        sign_in("a wrong one")
    kinds = [kind for kind, _ in log_entries(league)]
    assert kinds == [Kind.WRONG_PASSWORD] * 7 + [Kind.LOCKED_OUT]


def test_unknown_user_name_is_not_stored(league: League) -> None:
    """An unknown username may be a password typed into the wrong field."""
    sign_in(PASSWORD, name=PASSWORD)
    assert not LogbookEntry.objects.exists()


# Audits


def test_audit_with_findings_is_logged_and_counted() -> None:
    night = a_table()
    dealt(night)
    call_command("audit")
    assert not LogbookEntry.objects.exists()
    Membership.objects.all().delete()
    with unguarded():
        type(night).objects.filter(pk=night.pk).update(state="closed")
    with pytest.raises(SystemExit):
        call_command("audit")
    [entry] = LogbookEntry.objects.all()
    assert (entry.kind, entry.about["findings"] > 0) == (Kind.AUDIT_FAILED, True)
    counted = {each.name: each.samples[0].value for each in Database().collect()}
    assert counted["dealers_choice_audit_failures"] == 1
    assert Transfer.objects.exists()


# The page


def test_only_hosts_can_read_the_activity_log(league: League, host: User) -> None:
    renew_code(league, by=host)
    keeper = a_user("keeper")
    add_member(league, keeper, Role.SCOREKEEPER)
    for user, status in ((host, 200), (keeper, 403), (a_user("stranger"), 404)):
        client = Client()
        client.force_login(user)
        answer = client.get(f"/leagues/{league.pk}/logbook")
        assert answer.status_code == status
        assert (b"created a new league code" in answer.content) == (status == 200)
    assert Client().get(f"/leagues/{league.pk}/logbook").status_code == 302


def test_every_action_has_a_description(league: League, host: User) -> None:
    about = {"scope": "read", "role": "host", "changed": "banker"}
    about |= {"hand": 3, "night": 2, "recorded": 3, "refused": 1, "findings": 2}
    about |= {"service": "discord", "deliveries": 4, "chips": 9, "expected": 8}
    about |= {"since": "2026-01-08 18:00 UTC", "until": "2026-01-08 19:00 UTC"}
    about |= {"players": [str(uuid4())], "tournament": str(uuid4())}
    for kind in LogbookEntry.Kind:
        log_action(kind, by=host, of=host, league=league, **about)
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert set(Kind.values) <= set(WORDS)
    assert page.count('<li class="line">') == len(Kind.values)
    assert "%(" not in page


def test_page_shows_each_day_once(league: League, host: User) -> None:
    """The page used to show the date on every line."""
    for days in (0, 0, 2):
        at = datetime(2026, 5, 20, 21, 30, tzinfo=UTC) - timedelta(days=days)
        LogbookEntry.objects.create(kind=Kind.CODE_RENEWED, league=league, made_at=at)
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert page.count(">Wednesday, 20 May 2026</h2>") == 1
    assert page.count(">Monday, 18 May 2026</h2>") == 1
    assert page.count("21:30") == 3


@pytest.mark.parametrize("before", ["yesterday", "2026-01-01", "x" * 500])
def test_invalid_time_returns_404(league: League, host: User, before: str) -> None:
    client = Client()
    client.force_login(host)
    assert client.get(f"/leagues/{league.pk}/logbook?before={before}").status_code == 404


def test_next_page_continues_the_list(league: League, host: User) -> None:
    long_ago = timezone.now() - timedelta(days=300)
    LogbookEntry.objects.create(
        kind=Kind.IMPORTED, league=league, made_at=long_ago, about={"recorded": 7, "refused": 0}
    )
    for _ in range(100):
        log_action(Kind.CODE_RENEWED, by=host, league=league)
    client = Client()
    client.force_login(host)
    first = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert "7 new" not in first
    at = first.split('href="?before=')[1].split('"')[0].replace("&amp;", "&")
    assert "7 new" in html(client.get(f"/leagues/{league.pk}/logbook?before={at}"))


def test_import_without_hands_is_logged_with_its_nights(league: League, host: User) -> None:
    """An imported ledger was logged as "imported hands: 0 new, 0 refused"."""
    rows = "".join(f"2023-06-0{day},{row}\n" for day in (1, 2, 3) for row in ("ann,5,9", "bob,5,1"))
    options = ImportOptions(add_players=True)
    planned = plan(league, [Source("a.csv", "", f"date,player,buy-in,cash-out\n{rows}")], options)
    list(record_plan(league, planned, Report(), options=options, by=host))
    assert last(league).about == {"recorded": 0, "refused": 0, "nights": 3}
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert "imported 3 nights" in page
    assert "0 new" not in page


def test_players_cannot_read_the_log_page() -> None:
    night = a_table()
    client = Client()
    client.force_login(join(night.league, player(night, "ann")))
    assert client.get(f"/leagues/{night.league.pk}/logbook").status_code == 403


def test_every_setting_has_a_description_in_the_log(league: League, host: User) -> None:
    assert set(CHOICES) == {each.name for each in fields(Options)}
    changed = {"approves": True, "seven_deuce": 2, "inviters": "players", "most_rebuys": 3}
    choose(league, replace(options_of(league), **changed), by=host)
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert "Approve new phones: off → on" in page
    assert "7-2 bonus: off → 2 chips" in page
    assert "Invitations: Hosts → All players" in page
    assert "Rebuys: no limit → 3" in page


def test_added_players_are_logged_with_their_current_names(league: League, host: User) -> None:
    add_member(league, host, Role.HOST)
    client = Client()
    client.force_login(host)
    assert client.post(f"/leagues/{league.pk}/players", {"name": "Eve\nFinn"}).status_code == 302
    league.players.filter(name="Eve").update(name="Evelyn")
    assert last(league).by == host
    assert "added Evelyn, Finn" in html(client.get(f"/leagues/{league.pk}/logbook"))
    assert "Eve" not in str(list(LogbookEntry.objects.values()))


def test_tournaments_are_logged_from_creation_to_end() -> None:
    night, host = a_table(), a_user("host")
    add_member(night.league, host, Role.HOST)
    prizes = replace(TOURNAMENT, parts=(70, 30))
    made, other = (make(night, uuid4(), TOURNAMENT, by=host) for _ in range(2))
    call_off(other, by=host)
    change(made, replace(prizes, name="Freezeout"), by=host)
    change(made, replace(prizes, name="Main"), by=host)
    players = [player(night, name) for name in ("ann", "bob")]
    enter_players(made, uuid4(), players, by=host)
    start_clock(made, by=host)
    pause_clock(made)
    go_to_level(made, 1)
    start_clock(made, by=host)
    finish(made, deal={each.pk: 20 for each in players}, by=host)
    resume(Tournament.objects.get(pk=made.pk), by=host)
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{night.league.pk}/logbook"))
    lines = re.findall(r"(?:created|cancelled|changed|started|ended|undid) [^<]*", page)
    assert [" ".join(line.split()) for line in reversed(lines)] == [
        "created Main in",
        "created Tournament in",
        "cancelled Tournament in",
        "changed the payouts of Main in",
        "started the clock of Main in",
        "ended Main, 40 chips (0.40 USD), in",
        "undid the end of Main in",
    ]


def test_scoring_games_and_planned_nights_are_logged() -> None:
    night, host = a_table(), a_user("host")
    league = night.league
    add_member(league, host, Role.HOST)
    option = Option(scoring="places", points=(10, 6, 3))
    for _ in range(2):  # the second time, nothing changes
        choose_scoring(night.season, option, by=host)
    write(league, CROSS, by=host)
    at = (timezone.now() + timedelta(days=14)).replace(hour=23, minute=30)
    League.objects.filter(pk=league.pk).update(time_zone="Europe/Berlin")
    league.refresh_from_db()
    planning.plan(league, uuid4(), at, planning.Details(), by=host)
    assert [each.kind for each in logged_actions(league) if each.by == host] == [
        "planned-night",
        "house-game",
        Kind.OPTIONS_CHANGED,
    ]
    client = Client()
    client.force_login(host)
    page = html(client.get(f"/leagues/{league.pk}/logbook"))
    assert "Scoring: Chips won → Points for places, Points for places: off → 10 6 3" in page
    assert "saved the house game " in page
    day = (at + timedelta(days=1)).date()  # in Berlin
    assert f"planned a night for {day:%a} {day.day} {day:%b %Y}" in page


def test_names_of_players_in_settings_are_not_logged(league: League, host: User) -> None:
    ann = Player.objects.create(league=league, name="ann")
    choose(league, replace(options_of(league), banker=ann), by=host)
    assert last(league).about == {"changed": "banker", "values": {}}
