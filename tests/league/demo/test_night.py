"""`manage.py demo` creates a night with every feature, using the usual writers."""

import tomllib
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.http import HttpRequest
from pytest_django import Settings

from league.demo.full_season import LIKED
from league.models import Hand, League, Night, Revision
from league.nights.nights import carry, hands
from ledger.balances import balances
from tests.helpers.league.books import total

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("site", "line"),
    [
        ("", "then start the service (`make run`) and open http://127.0.0.1:8000/nights/"),
        ("https://league.example.org", "then open https://league.example.org/nights/"),
    ],
)
def test_demo_command_prints_the_address_of_the_service(
    site: str, line: str, settings: Settings
) -> None:
    settings.SITE_URL = site
    assert run("--hands", "1")[-1].startswith(line)


def test_demo_plays_a_night_with_all_its_games_and_all_table_events() -> None:
    run()
    night = Night.objects.get()
    records = list(hands(night))
    answers = [item.answer for item in records]
    assert len(records) >= 40
    assert {item.document.slug for item in records} == set(
        tomllib.loads(LIKED.read_text())["games"]
    )
    assert {item.depth for item in records} == {"showdown", "result"}
    assert any(item["carry"] for item in answers)
    assert any(found["code"] == "took-differs" for item in answers for found in item["findings"])
    assert any(player.get("all_in") for item in records for player in item.record["players"])
    assert Hand.objects.filter(voided=True).count() == 1
    assert Revision.objects.filter(number=2, voids=False).count() == 1
    assert night.buy_ins.count() > night.seats.count()


def test_demo_books_are_correct() -> None:
    run("--hands", "14")
    night = Night.objects.get()
    assert total(night.league.book) == 0
    assert not any(balances(night.league.book, kind="pot").values())
    assert carry(night) == 0
    assert min(balances(night.league.book, kind="stack").values()) >= 0


def test_demo_prints_how_to_sign_in() -> None:
    lines = run("--hands", "3")
    name, password = lines[1].removeprefix("Sign in as ").split(" with the password ")
    user = authenticate(HttpRequest(), username=name, password=password)
    assert user is not None
    night = Night.objects.get()
    assert night.league.memberships.get().user == user
    assert str(night.pk) in lines[2]


def test_second_demo_creates_a_separate_league() -> None:
    first, second = run("--hands", "3")[1], run("--hands", "3")[1]
    assert first.startswith("Sign in as demo ")
    assert second.startswith("Sign in as demo2 ")
    assert League.objects.count() == 2


def test_seed_determines_the_demo_night() -> None:
    run("--hands", "6", "--seed", "7")
    run("--hands", "6", "--seed", "7")
    one, other = Night.objects.order_by("pk")
    assert [each.record for each in hands(one)] == [each.record for each in hands(other)]
