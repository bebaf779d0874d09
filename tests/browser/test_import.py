"""A host brings a file of hands: looks what it would bring, mends a wish, says yes."""

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league, a_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_file_travels_with_the_page_until_the_host_says_yes(
    page: Page, live_server: LiveServer, client: Client
) -> None:
    host = a_user()
    league = a_league(host)
    client.force_login(host)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/leagues/{league.pk}/import")
    text = f"[1]\n{hand(at=on(1))}\n[2]\n{hand(bet=20)}"
    file = {"name": "may.phhs", "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#refused")).to_contain_text("the league has no player ann")
    page.get_by_label("Add players who lack").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#nights")).to_contain_text("2024-05-01")
    assert not Hand.objects.exists()
    page.get_by_role("button", name="Record them").click()
    expect(page.get_by_text("2 hands recorded.")).to_be_visible()
    assert Hand.objects.count() == 2
