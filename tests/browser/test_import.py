"""A host imports a file of hands: preview, correction of an option, confirmation."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.imports.jobs import run_next
from league.models import Hand, ImportJob
from league.pages.imports import CARRIED
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league, a_user
from tests.helpers.rules.large_files import poker_stars_text

pytestmark = pytest.mark.django_db(transaction=True)


def test_import_file_stays_on_the_page_until_the_host_confirms(
    page: Page, live_server: LiveServer, client: Client
) -> None:
    host = a_user()
    league = a_league(host)
    client.force_login(host)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/leagues/{league.pk}/import")
    text = f"[1]\n{hand(at=on(1))}\n[2]\n{hand(bet=20)}\n[3]\n{hand().replace('NT', 'XX')}"
    file = {"name": "may.phhs", "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#strangers")).to_contain_text("not in this league: ann, bob.")
    # the line and the hand were shown as "line 24hand 3", without a separator
    line = page.locator("#refused .parts > :first-child")
    expect(line).to_have_text(re.compile(r"^line \d+,$"))
    page.get_by_label("Add missing players").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#nights")).to_contain_text("Wed 1 May 2024")
    assert not Hand.objects.exists()
    page.get_by_role("button", name="Import hands").click()
    expect(page.get_by_text("2 hands imported.")).to_be_visible()
    assert Hand.objects.count() == 2


@pytest.mark.scheduled
def test_import_of_a_large_file_shows_a_progress_page(
    page: Page, live_server: LiveServer, client: Client
) -> None:
    host = a_user()
    league = a_league(host)
    client.force_login(host)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/leagues/{league.pk}/import")
    text, hands = poker_stars_text(CARRIED + 20_000)
    file = {"name": "hands.txt", "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Reading the file")).to_be_visible()
    job = ImportJob.objects.get()
    ImportJob.objects.update(options=job.options | {"add_players": True})
    ImportJob.objects.update(hands=hands, hands_done=200)
    expect(page.locator("#progress")).to_contain_text(f"200 of {hands:,}")
    run_next(league.pk)
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    page.get_by_role("button", name="Import hands").click()
    expect(page.get_by_role("heading", name="Reading the file")).to_be_visible()
    run_next(league.pk)
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    assert Hand.objects.count() == hands
