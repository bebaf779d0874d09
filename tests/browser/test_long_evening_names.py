"""Long names, places and notes without spaces don't make a night's pages wider than the phone."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from league.charges.charging import NewCharge, Share, charge, high_hand_night
from league.chat.services import add_channel
from league.models import (
    LONGEST_NAME,
    LONGEST_PLACE,
    LONGEST_REASON,
    League,
    Night,
    PlannedNight,
    Player,
    Role,
    Tournament,
    User,
)
from league.payment_methods.methods import add_method
from league.people.leagues import add_member
from league.planned_nights.answer_links import give_links, share_answers
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, plan
from league.planned_nights.series import Rhythm, make_series
from league.tournaments import events
from league.tournaments.clock import Level
from league.tournaments.field import Act
from league.tournaments.finishing import finish
from tests.helpers.browser.phone import Phone
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import chosen, dealt
from tests.helpers.league.payment_methods import a_debt
from tests.helpers.league.side_bets import (
    a_season_with,
    bad_beat,
    bets,
    confirm,
    ended,
    everyone_folds_to,
    with_seven_deuce,
)
from tests.helpers.league.tournaments import a_tournament, entered, happens

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = 360
WIDTH = "document.documentElement.scrollWidth"
OPEN = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
PLACE, NOTE, NAME = "P" * LONGEST_PLACE, "W" * LONGEST_REASON, "N" * LONGEST_NAME
Phones = Callable[[], Phone]


def named_long(league: League) -> None:
    for name, letter in {"ann": "M", "bob": "W", "cat": "x", "dan": "Y"}.items():
        Player.objects.filter(league=league, name=name).update(name=letter * LONGEST_NAME)


def too_wide(phone: Phone, pages: list[str]) -> dict[str, int]:
    widths = {}
    for path in pages:
        phone.go(path)
        expect(phone.page.locator("main h1").first).to_be_attached()
        phone.page.evaluate(OPEN)
        widths[path] = phone.page.evaluate(WIDTH)
    return {path: width for path, width in widths.items() if width > PHONE}


def a_host_of(night: Night) -> User:
    host = night.league.created_by
    assert host
    return host


def test_night_planning_pages_fit_long_names(phones: Phones) -> None:
    night = a_night()
    league, host = night.league, a_host_of(night)
    planned = a_plan(league)
    everybody = share_answers(league, by=host)
    [own] = give_links(league, [player(night, "ann")]).values()
    named_long(league)
    League.objects.filter(pk=league.pk).update(name="L" * LONGEST_NAME)
    phone = phones()
    answers = [f"/answers/{everybody}", f"/answers/{own}"]
    assert too_wide(phone, answers) == {}
    phone.sign_in(host)
    at = f"/planned-nights/{planned.pk}"
    pages = [at, f"{at}/change", f"{at}/start?seats=drawn", f"/leagues/{league.pk}"]
    pages += [f"/leagues/{league.pk}/planned-nights", f"/leagues/{league.pk}/series"]
    assert too_wide(phone, pages) == {}


def a_plan(league: League) -> PlannedNight:
    """Plan a night that is accepted by more players than there are seats, each with a guest."""
    at = datetime.now(UTC) + timedelta(days=3)
    details = Details(name=NAME, place=PLACE, note=NOTE, seats=3)
    planned = plan(league, uuid4(), at, details, by=None)
    for each in league.players.all():
        answer_for(planned, each, "yes", guests=1, brings=PLACE)
    answer_for(planned, "Z" * LONGEST_NAME, "maybe", brings=PLACE)
    answer_for(planned, "V" * LONGEST_NAME, "no")
    make_series(league, uuid4(), Rhythm(starts_on=at.date(), at=time(20)), details, by=None)
    return planned


def test_tournament_pages_fit_long_names(phones: Phones) -> None:
    """One tournament is finished. The other has two tables, and dan has not entered it."""
    night = a_night()
    over, running = a_long_tournament(night), a_long_tournament(night)
    happens(over, Act.OUT, player(night, "bob"), player(night, "ann"))
    finish(over, by=None)
    named_long(night.league)
    phone = phones()
    phone.sign_in(a_host_of(night))
    at = f"/nights/{night.pk}/tournaments"
    pages = [f"{at}/{running.pk}{below}" for below in ("", "/end", "/change")]
    pages += [f"{at}/{over.pk}", f"/nights/{night.pk}"]
    assert too_wide(phone, pages) == {}


def a_long_tournament(night: Night) -> Tournament:
    levels = [Level(600, 10**6, 2 * 10**6, 10**6, "G" * LONGEST_NAME)] * 2
    tournament = a_tournament(night, name=NAME, seats=2, levels=levels, stack=10**8)
    ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    events.draw_seats(tournament, uuid4(), by=None)
    happens(tournament, Act.OUT, cat, ann, bob)
    return tournament


def test_payments_and_notifications_fit_long_names(phones: Phones) -> None:
    night = a_night()
    league, host, cat = night.league, a_host_of(night), player(night, "cat")
    night = chosen(night, high_hand=5, seven_deuce=5, bad_beat=5, fund_each=3, fund_keeper=cat)
    night = chosen(night, stand_up=5, bomb_pot_every=6, bomb_pot_ante=10**9)
    dealt(night, bad_beat())
    dealt(night, with_seven_deuce())
    for name in ("bob", "cat", "ann"):
        dealt(night, everyone_folds_to(name))
    confirm(night, next(each for each in bets(night) if each.new_charge.kind == "fund"))
    shares = {player(night, "ann"): Share(gets=9), cat: Share(owes=9)}
    charge(night, NewCharge(kind="cost", title=NOTE, shares=shares), charge_id=uuid4(), by=host)
    address = f"https://{'a' * 60}.{'b' * 60}.example.org/{'t' * 64}"
    add_channel(league, uuid4(), address, by=host)
    named_long(league)
    phone = phones()
    phone.sign_in(host)
    pages = [f"/nights/{night.pk}", f"/nights/{night.pk}/deal", f"/nights/{night.pk}/charges"]
    pages += [f"/leagues/{league.pk}/chat", "/account/notices"]
    assert too_wide(phone, pages) == {}


def test_season_high_hand_fits_long_names(phones: Phones) -> None:
    last = ended(a_season_with(bad_beat())[1])
    named_long(last.league)
    assert high_hand_night(last.season) == last
    phone = phones()
    phone.sign_in(a_host_of(last))
    pages = [f"/seasons/{last.season_id}", f"/nights/{last.pk}/charges"]
    assert too_wide(phone, pages) == {}
    phone.go(pages[0])
    expect(phone.page.locator("main")).to_contain_text("high hand")


def test_night_payments_fit_long_names(phones: Phones) -> None:
    """The payer sees the account and QR codes. The payee sees only the codes."""
    debt = a_debt()
    add_method(debt.ann, "iban", "DE89370400440532013000", "H" * 70)
    add_method(debt.ann, "revolut", "r" * 40)
    named_long(debt.night.league)
    for user in (debt.ann, debt.bob):
        add_member(debt.night.league, user, Role.PLAYER)
        phone = phones()
        phone.sign_in(user)
        pages = [debt.address, f"/nights/{debt.night.pk}/receipt", "/account/paid", "/account"]
        assert too_wide(phone, pages) == {}
