"""All pages have a strict security policy, and addresses of forms lead to a page."""

import pytest
from django.test import Client

from league.models import Role
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/health", "/sign-in", "/no-such-page", "/api/v1/nothing"])
def test_every_response_has_a_strict_content_security_policy(client: Client, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["object-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "*" not in policy


@pytest.mark.django_db
def test_browser_that_opens_a_forms_address_gets_the_page_above_it() -> None:
    """After an error, a phone restores the tab at the address that the form was sent to."""
    night = a_night()
    host = member(night.league, Role.HOST)
    for address in (f"/nights/{night.pk}/guests", f"/nights/{night.pk}/charges/costs"):
        answer = host.get(address, headers={"Accept": "text/html"})
        assert answer.status_code == 302
        shown = host.get(answer.headers["Location"])
        assert shown.status_code == 200
        assert host.get(address).status_code == 405  # programs get the error
