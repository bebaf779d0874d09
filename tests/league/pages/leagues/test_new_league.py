"""A new league is created and gets its first player."""

import re
from uuid import uuid4

import pytest

from league.models import League, Player, Role
from league.nights.opening import open_night
from league.people.leagues import make_league
from league.recording.record import record_hand
from tests.helpers.api.clients import member, someone
from tests.helpers.league.forms import errors_in, form_of, sent
from tests.helpers.league.leagues import a_league, a_user, holdem
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

NAME_10_000 = "n" * 10_000
LEAGUE = {"name": "Tuesday", "currency": "eur", "time_zone": "Europe/Berlin", "chip": "0.10"}


def test_user_can_create_a_league() -> None:
    client = someone()
    made = client.post("/leagues/new", LEAGUE)
    league = League.objects.get()
    assert made.headers["Location"] == f"/leagues/{league.pk}"
    told = (league.name, league.currency, league.time_zone, league.chip_value)
    assert told == ("Tuesday", "EUR", "Europe/Berlin", 10)
    assert b"Tuesday" in client.get("/").content


def test_chip_value_can_be_typed_with_a_decimal_comma() -> None:
    assert someone().post("/leagues/new", LEAGUE | {"chip": "0,25"}).status_code == 302
    assert League.objects.get().chip_value == 25


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", NAME_10_000),
        ("currency", "dollars"),
        ("currency", "€€€"),
        ("time_zone", "Mars/Olympus"),
        ("chip", "0"),
        ("chip", "-1"),
        ("chip", "0.001"),
        ("chip", "1e30"),
        ("chip", "NaN"),
        ("chip", "many"),
    ],
)
def test_invalid_league_is_shown_again_as_typed(field: str, value: str) -> None:
    page = someone().post("/leagues/new", LEAGUE | {field: value})
    assert page.status_code == 200
    assert list(errors_in(page))
    assert not League.objects.exists()
    kept = {name: text for name, text in LEAGUE.items() if name in {"name", "chip"} - {field}}
    assert all(f'value="{text}"' in html(page) for text in kept.values())


@pytest.mark.parametrize(
    ("language", "currency", "typed", "minor"),
    [
        ("de-DE", "EUR", "1.000", 100_000),
        ("de", "KWD", "0,005", 5),
        ("en", "kwd", "1.005", 1005),
        ("fr", "XPF", "1 000", 1000),
    ],
)
def test_chip_value_is_parsed_by_locale_and_currency(
    language: str, currency: str, typed: str, minor: int
) -> None:
    told = LEAGUE | {"chip": typed, "currency": currency}
    someone().post("/leagues/new", told, headers={"accept-language": language})
    assert League.objects.get().chip_value == minor


@pytest.mark.parametrize(
    ("language", "currency"),
    [("de-DE", "EUR"), ("de-CH", "CHF"), ("sv", "SEK"), ("en", "USD"), ("", "USD"), ("xx", "USD")],
)
def test_readers_currency_is_listed_first_and_preselected(language: str, currency: str) -> None:
    """The currency follows the language's territory, or the territory with the most speakers."""
    page = html(someone().get("/leagues/new", headers={"accept-language": language}))
    options = re.findall(r'<option value="([A-Z]{3})"( selected)?', page)
    assert options[0] == (currency, " selected")
    assert len(options) == len({code for code, _ in options}) > 100
    assert re.search(r'<option value="Europe/Stockholm" data-currency="SEK"', page)


@pytest.mark.parametrize(
    ("language", "chip"),
    [("en-US", "0.25"), ("de-DE", "0,25"), ("ja-JP", "100"), ("ko-KR", "100"), ("hu-HU", "100")],
)
def test_suggested_chip_is_whole_in_currencies_without_decimals(language: str, chip: str) -> None:
    """A chip of 0.25 yen can't be paid: the coins of Japan have no decimals (ISO 4217)."""
    page = html(someone().get("/leagues/new", headers={"accept-language": language}))
    assert re.search(rf'name="chip" value="{chip}"', page)
    assert re.search(r'<option value="JPY" (selected )?data-chip="100"', page)
    assert not re.search(r'<option value="CHF"[^>]* data-chip', page)


def test_default_charge_limit_suits_currencies_without_decimals() -> None:
    host = a_user()
    leagues = [
        make_league(host, "Friday", currency=currency, chip_value=worth)
        for currency, worth in (("EUR", 25), ("JPY", 100), ("HUF", 100_00))
    ]
    assert [league.charge_limit for league in leagues] == [80, 20, 20]


def test_time_zones_are_listed_by_continent_without_aliases() -> None:
    """The list had 597 names, such as Etc/GMT+3 and US/Alaska."""
    page = html(someone().get("/leagues/new"))
    zones = re.findall(r'<option value="(UTC|[^"]+/[^"]+)"', page)
    assert zones[0] == "UTC"
    assert "Europe/Oslo" in zones
    assert '<optgroup label="Europe">' in page
    assert not {"US/Alaska", "Brazil/Acre", "Etc/GMT+3", "Asia/Calcutta"} & {*zones}
    [kolkata] = re.findall(r'<option value="Asia/Kolkata"[^>]*>', page)
    assert re.search('data-aliases="[^"]*Asia/Calcutta', kolkata)  # the name that Chrome reports


def test_settings_keep_a_time_zone_that_is_an_alias() -> None:
    league = a_league()
    League.objects.filter(pk=league.pk).update(time_zone="US/Alaska")
    client, url = member(league, Role.HOST), f"/leagues/{league.pk}/options"
    fields = sent(form_of(client.get(url), "settings"))
    assert fields["time_zone"] == ["US/Alaska"]
    assert client.post(url, fields).status_code == 302
    league.refresh_from_db()
    assert league.time_zone == "US/Alaska"


def test_settings_name_the_time_zone_in_their_summary() -> None:
    """It was empty, because time zones are grouped by continent."""
    league = a_league()
    League.objects.filter(pk=league.pk).update(time_zone="Europe/Berlin")
    page = html(member(league, Role.HOST).get(f"/leagues/{league.pk}/options"))
    assert "Time zone: Berlin" in page


def test_empty_means_no_limit_for_all_limits_in_the_settings() -> None:
    league = a_league()
    client, url = member(league, Role.HOST), f"/leagues/{league.pk}/options"
    page = client.get(url)
    assert "0 = no limit" not in html(page)
    fields = sent(form_of(page, "settings"))
    limits = ("least_buy_in", "most_buy_in", "most_rebuys")
    assert not {*limits} & fields.keys()  # empty
    assert client.post(url, fields).status_code == 302
    league.refresh_from_db()
    assert [getattr(league, name) for name in limits] == [0, 0, None]


def test_settings_keep_a_currency_that_is_no_longer_in_use() -> None:
    league = a_league()
    League.objects.filter(pk=league.pk).update(currency="ITL", chip_value=100)
    client, url = member(league, Role.HOST), f"/leagues/{league.pk}/options"
    fields = sent(form_of(client.get(url), "settings"))
    assert fields["currency"] == ["ITL"]
    assert client.post(url, fields).status_code == 302
    league.refresh_from_db()
    assert league.currency == "ITL"


@pytest.mark.parametrize("language", ["", "de"])
def test_resubmitted_settings_keep_the_chip_value(language: str) -> None:
    """1.234 dinars are 1,234 in German. Submitting the unchanged form must not change the value."""
    league = a_league()
    league.currency, league.chip_value = "KWD", 1234
    league.save()
    client = member(league, Role.HOST)
    url, headers = f"/leagues/{league.pk}/options", {"accept-language": language}
    fields = sent(form_of(client.get(url, headers=headers), "settings"))
    assert fields["chip"] == ["1,234" if language == "de" else "1.234"]
    answer = client.post(url, fields, headers=headers)
    league.refresh_from_db()
    assert league.chip_value == 1234
    assert answer.status_code == (302 if language else 400)


def test_yen_have_no_decimals() -> None:
    client = someone()
    client.post("/leagues/new", LEAGUE | {"currency": "JPY", "chip": "50"})
    assert League.objects.get().chip_value == 50


def test_players_need_only_a_name() -> None:
    league = a_league()
    client = member(league, Role.HOST)
    client.post(f"/leagues/{league.pk}/players", {"name": "  Zoë  ", "is_guest": "on"})
    player = Player.objects.get()
    assert (player.name, player.is_guest) == ("Zoë", True)
    assert "Zoë" in html(client.get(f"/leagues/{league.pk}"))


def test_new_league_lists_its_first_steps_until_a_hand_is_recorded() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    at, tonight = f"/leagues/{league.pk}", f"/leagues/{league.pk}/tonight"
    for page in (at, tonight):
        assert html(host.get(page)).count("Add players") == 1
        assert f'href="{at}#id_name">Add players</a>' in html(host.get(page))
    for name in ("ann", "bob"):
        host.post(f"{at}/players", {"name": name})
    for page in (at, tonight):
        assert f'href="{at}/nights/new">Start a night</a>' in html(host.get(page))
    night = open_night(league, players=league.players.all())
    page = html(host.get(at))
    assert page.count("(done)") == 2
    assert f'href="/nights/{night.pk}/record">Record the first hand</a>' in page
    assert "Pick the game and enter" in html(host.get(f"/nights/{night.pk}/record"))
    assert "steps-title" not in html(member(league, Role.PLAYER).get(at))
    record_hand(night, uuid4(), holdem(), by=None)
    assert "steps-title" not in html(host.get(at))
    assert "Pick the game and enter" not in html(host.get(f"/nights/{night.pk}/record"))


def test_service_errors_are_shown_as_full_sentences() -> None:
    """In the API, error messages start with a lower-case letter and have no full stop."""
    league = a_league()
    client, url = member(league, Role.HOST), f"/leagues/{league.pk}/players"
    client.post(url, {"name": "Zoë"})
    assert '<p class="error">The league already has a player with this name.</p>' in html(
        client.post(url, {"name": "Zoë"})
    )


def test_name_that_is_listed_twice_is_reported_as_such() -> None:
    """It was reported as a name that the league already had, and no player was added."""
    league = a_league()
    client, url = member(league, Role.HOST), f"/leagues/{league.pk}/players"
    page = html(client.post(url, {"name": "Xaver\nZoë\nxaver"}))
    assert "“xaver” is in the list twice." in page
    assert not league.players.exists()
