"""Guesses are limited, whether from one or many addresses, on one or many usernames."""

from collections.abc import Iterator
from time import sleep

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from league.common.client_ip import address_of, counted
from league.models import League, Night, Role, User
from league.people.joining import league_of_code, proof_of
from league.people.leagues import CODE_LENGTH, CODE_LETTERS
from league.sign_in import rate_limits
from league.sign_in.rate_limits import (
    SIGN_UPS_HERE,
    WRONG_CODES_ANYWHERE,
    WRONG_CODES_HERE,
    WRONG_PASSWORDS_HERE,
    WRONG_PASSWORDS_OF_NAME,
    Limit,
)
from tests.helpers.league.leagues import a_night, a_user
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import someone

pytestmark = pytest.mark.django_db
PASSWORD = "a dealer names the game"
HOME = "203.0.113.7"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def night() -> Night:
    return a_night()


# Addresses


@pytest.mark.parametrize(
    ("address", "as_counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("no address", ""),
        ("", ""),
    ],
)
def test_ip_addresses_are_counted_by_their_network(address: str, as_counted: str) -> None:
    assert counted(address) == as_counted
    assert counted(as_counted) == as_counted


def asking(remote: str, passed_on: str | None = None) -> object:
    class Asks:
        META = {"REMOTE_ADDR": remote} | ({"HTTP_X_FORWARDED_FOR": passed_on} if passed_on else {})

    return Asks()


def test_invalid_address_from_the_proxy_is_not_counted(settings: object) -> None:
    settings.BEHIND_HTTPS = True  # type: ignore[attr-defined]
    assert address_of(asking("10.0.0.2", "junk")) == "10.0.0.2"  # type: ignore[arg-type]
    assert address_of(asking("10.0.0.2", "1.2.3.4, 2001:db8::7")) == "2001:db8::"  # type: ignore[arg-type]


def neighbours(number: int) -> str:
    """Return addresses in one /64 network, which belongs to one home."""
    return f"2001:db8:1:2::{number + 1:x}"


def test_ipv6_network_has_one_limit_for_join_codes(night: Night) -> None:
    for number in range(WRONG_CODES_HERE.most):
        assert join("NOSUCHXX", neighbours(number)) == 404
    assert join(night.league.code, neighbours(999)) == 404
    assert join(night.league.code, "2001:db8:1:3::1") == 200


def join(code: str, address: str, **query: str) -> int:
    return Client(REMOTE_ADDR=address).get(f"/join/{code}", query).status_code


def test_ipv6_network_has_one_lock_per_username() -> None:
    User.objects.create_user("ann", password=PASSWORD)
    for number in range(settings.AXES_FAILURE_LIMIT):
        sign_in("ann", f"guess {number}", neighbours(number))
    assert sign_in("ann", PASSWORD, neighbours(999)) == 429
    assert sign_in("ann", PASSWORD, "2001:db8:1:3::1") == 302


def test_ipv6_network_has_one_api_rate_limit(settings: object) -> None:
    settings.API_RATES = settings.API_RATES | {"address": "3/min"}  # type: ignore[attr-defined]
    statuses = [
        Client(REMOTE_ADDR=neighbours(number)).get("/api/v1/games/schema").status_code
        for number in range(4)
    ]
    assert statuses == [200, 200, 200, 429]
    other = Client(REMOTE_ADDR="2001:db8:1:3::1")
    assert other.get("/api/v1/games/schema").status_code == 200


# Codes


def test_number_of_possible_join_codes_matches_the_documentation() -> None:
    assert len(CODE_LETTERS) ** 6 == 191_102_976
    assert len(CODE_LETTERS) ** CODE_LENGTH == 110_075_314_176


def test_six_character_join_codes_still_work(night: Night) -> None:
    League.objects.update(code="ABCDEF")
    assert league_of_code(" abc def ") == night.league
    assert join("ABCDEF", HOME) == 200


@pytest.mark.parametrize("at", ["/join/NOSUCHXX", "/api/v1/join/NOSUCHXX"])
def test_wrong_codes_are_counted_across_all_addresses(at: str, night: Night) -> None:
    code, client = night.league.code, Client()
    client.force_login(a_user())

    def ask(path: str, address: str) -> int:
        return client.get(path, REMOTE_ADDR=address).status_code

    for number in range(WRONG_CODES_ANYWHERE.most):
        assert ask(at, f"198.51.{number}.9") == 404
    right = at.replace("NOSUCHXX", code)
    assert ask(right, HOME) in (404, 429)
    # when the limit is reached, the response does not reveal which codes exist
    assert ask(at, HOME) == ask(right, HOME)


def the_service_is_guessed_at() -> None:
    for _ in range(WRONG_CODES_ANYWHERE.most):
        rate_limits.count_wrong_code("198.51.100.9")


def test_players_at_a_members_address_can_still_join_during_guessing(night: Night) -> None:
    the_service_is_guessed_at()
    assert join(night.league.code, HOME) == 404
    host = someone(night, Role.HOST)
    host.get(f"/nights/{night.pk}/pulse", REMOTE_ADDR=HOME)
    assert join(night.league.code, HOME) == 200
    assert join("NOSUCHXX", HOME) == 404
    assert join(night.league.code, "203.0.113.8") == 404
    assert join(a_night().league.code, HOME) == 404


def test_scanned_join_link_works_during_guessing(night: Night) -> None:
    the_service_is_guessed_at()
    code, proof = night.league.code, proof_of(night.league)
    assert join(code, HOME, k=proof) == 200
    for wrong in ("", "x", proof[:-1], proof_of(a_night().league), "é"):
        assert join(code, HOME, k=wrong) == 404
    page = html(someone(night, Role.HOST).get(f"/leagues/{night.league.pk}/phones"))
    assert f"/join/{code}?k={proof}" in page
    phone = Client(REMOTE_ADDR=HOME)
    form = {"player": str(night.league.players.get(name="bob").pk)}
    assert phone.post(f"/join/{code}?k={proof}", form).status_code == 302


def test_changing_the_join_code_changes_its_proof(night: Night) -> None:
    before = proof_of(night.league)
    night.league.code = "ABCDEFGH"
    assert proof_of(night.league) != before


# Passwords


def sign_in(name: str, password: str, address: str = HOME) -> int:
    fields = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post("/sign-in", fields).status_code


def test_one_password_cannot_be_tried_on_many_usernames_from_an_address() -> None:
    User.objects.create_user("zoe", password=PASSWORD)
    for number in range(WRONG_PASSWORDS_HERE.most):
        assert sign_in(f"name-{number}", PASSWORD) == 200
    assert sign_in("zoe", PASSWORD) == 429
    assert sign_in("zoe", PASSWORD, "203.0.113.8") == 302


def test_total_number_of_guesses_for_one_username_is_limited() -> None:
    zoe = User.objects.create_user("zoe", password=PASSWORD)
    assert sign_in("zoe", PASSWORD) == 302
    for number in range(WRONG_PASSWORDS_OF_NAME.most):
        rate_limits.count_wrong_password(f"198.51.{number}.9", "Zoe ")
    assert sign_in("zoe", PASSWORD, "198.51.200.9") == 429
    # Strangers can't lock out a user who has signed in from this address.
    assert sign_in("zoe", PASSWORD) == 302
    assert rate_limits.may_try_password("198.51.200.9", "ann")
    assert zoe.pk


def test_unknown_usernames_have_the_same_limit_as_known_ones() -> None:
    """A different limit would reveal which accounts exist."""
    for number in range(WRONG_PASSWORDS_OF_NAME.most):
        rate_limits.count_wrong_password(f"198.51.{number}.9", "nobody\0" * 500)
    assert not rate_limits.may_try_password(HOME, "nobody\0" * 500)
    assert sign_in("nobody", "x" * 12) == 200


def test_number_of_accounts_per_address_is_limited() -> None:
    def sign_up(name: str, address: str = HOME) -> int:
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        return Client(REMOTE_ADDR=address).post("/sign-up", form).status_code

    for number in range(SIGN_UPS_HERE.most):
        rate_limits.count_sign_up(HOME)
        assert number < SIGN_UPS_HERE.most
    assert sign_up("one-too-many") == 429
    assert not User.objects.filter(username="one-too-many").exists()
    assert sign_up("elsewhere", "203.0.113.8") == 302


def test_successful_sign_ups_count_against_the_limit() -> None:
    form = {"username": "joel", "password1": PASSWORD, "password2": PASSWORD}
    for number in range(SIGN_UPS_HERE.most):
        again = form | {"username": f"joel-{number}"}
        assert Client(REMOTE_ADDR=HOME).post("/sign-up", again).status_code == 302
    assert not rate_limits.may_sign_up(HOME)


# Counting failures


def test_rate_limit_is_reset_after_its_period() -> None:
    limit = Limit("a-test", 2, 3)
    for _ in range(2):
        assert not rate_limits.is_spent(limit, "x")
        rate_limits.count(limit, "x")
    assert rate_limits.is_spent(limit, "x")
    assert not rate_limits.is_spent(limit, "y")
    sleep(3.5)
    assert not rate_limits.is_spent(limit, "x")
