"""Verifying receipts: the page that works offline, and the closings that a phone remembers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.closing.close import reopen_night
from league.models import Night, Role, User
from league.pages.parts.numbers import quartets
from league.people.leagues import add_member, make_league
from league.proofs.signing import proof_of
from league.proofs.verification import Proof, as_code, as_file, fingerprint, read_statement
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.leagues import a_night, a_user
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.tampering import forged_successor, rewrite_past

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = Path(settings.BASE_DIR) / "league/static/league/verify.html"


@pytest.fixture
def night() -> Night:
    night = a_night()
    dealt(night)
    return night


@pytest.fixture
def phone(page: Page, live_server: LiveServer, night: Night) -> Phone:
    phone, host = Phone(page, live_server.url), User.objects.create_user("joel", password=PASSWORD)
    add_member(night.league, host, Role.HOST)
    phone.sign_in(host)
    return phone


def a_proof(night: Night) -> Proof:
    proof = proof_of(closed(again(night)))
    assert proof
    return proof


def test_page_verifies_receipts_from_disk_and_from_the_service(
    phone: Phone, night: Night, tmp_path: Path
) -> None:
    """A file:// URL needs no server. The file is the one downloaded from the receipt page."""
    proof = a_proof(night)
    page, file = phone.page, tmp_path / "receipt.json"
    phone.go(f"/nights/{night.pk}/receipt")
    phone.tap("summary:has-text('Proof that nothing was changed')")
    with page.expect_download() as saved:
        phone.press("Download signed receipt")
    saved.value.save_as(file)
    assert file.read_text() == as_file(proof)
    for address in (PAGE.as_uri(), f"{phone.address}/static/league/verify.html"):
        page.goto(address)
        page.fill("#trusted", fingerprint(proof.key))
        page.set_input_files("#files", file)
        expect(page.locator(".result")).to_contain_text("Valid.")
        expect(page.locator(".result")).to_contain_text("bob pays ann")
        page.fill("#trusted", "0" * 32)
        phone.press("Check")
        expect(page.locator(".result.bad")).to_contain_text("not the one you trust")
        page.fill("#trusted", "")
        data = json.loads(file.read_text())
        for name in ("statement", "signature", "key", "chips", "names"):
            text = data[name]
            other = data | {name: text[:40] + chr(ord(text[40]) ^ 1) + text[41:]}
            page.set_input_files("#files", [])
            page.locator("#outcome").evaluate("(outcome) => outcome.replaceChildren()")
            page.fill("#pasted", json.dumps(other))
            phone.press("Check")
            expect(page.locator(".result")).to_have_count(1)
            expect(page.locator(".result.bad")).to_be_visible()
        page.fill("#pasted", as_code(proof))
        phone.press("Check")
        expect(page.locator(".result")).to_contain_text("Valid.")


def test_page_compares_receipts(page: Page, night: Night, tmp_path: Path) -> None:
    first = a_proof(night)
    rewrite_past(night.league, "another reason")
    other = proof_of(night.closings.get())
    assert other
    files = []
    for name, proof in (("first", first), ("other", other)):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(as_file(proof))
    page.goto(PAGE.as_uri())
    page.set_input_files("#files", files)
    expect(page.locator(".result.bad")).to_contain_text("belong to different histories")


def test_page_detects_lookalike_leagues_and_altered_histories(page: Page, night: Night) -> None:
    true = a_proof(night)
    forged, look_alike = forged_successor(true), a_proof(a_night())
    page.goto(PAGE.as_uri())
    elsewhere = forged_successor(true, league="cd" * 16, names="")
    for other, text in (
        (forged, "are from one league but signed with two keys"),
        (elsewhere, "which is from another league"),
        (look_alike, "are from two leagues named"),
    ):
        files: list[FilePayload] = [
            {"name": name, "mimeType": "application/json", "buffer": as_file(proof).encode()}
            for name, proof in (("true.json", true), ("other.json", other))
        ]
        page.set_input_files("#files", files)
        expect(page.locator(".result.bad")).to_contain_text(text)
        for proof in (true, other):
            mark = quartets(read_statement(proof.statement).league)
            expect(page.locator("#outcome")).to_contain_text(mark)


def test_page_shows_whether_a_closing_was_imported(page: Page, night: Night) -> None:
    a_proof(night)
    lines = list(export_season(night.season))
    elsewhere = make_league(a_user(), "Elsewhere")
    import_season(elsewhere, lines, by=None)
    proof = proof_of(elsewhere.closings.get())
    assert proof
    page.goto(PAGE.as_uri())
    for text, verdict in (
        (as_file(proof), "Not closed on this service: imported from a file on"),
        (
            as_file(replace(proof, statement=proof.statement.replace("imported", "imporled"))),
            "Error",
        ),
    ):
        page.fill("#pasted", text)
        page.click("#check")
        expect(page.locator(".result")).to_contain_text(verdict)


def test_phone_reports_that_the_history_has_changed(phone: Phone, night: Night) -> None:
    """The database owner rewrites the history and its hash chain, so an audit finds nothing."""
    a_proof(night)
    page, at = phone.page, f"/leagues/{night.league.pk}"
    banner = page.locator("#closings-check [role=alert]")
    phone.go(at)
    reopen_night(again(night), by=None)
    closed(again(night))
    phone.go(f"/nights/{night.pk}")  # the rewritten closing is followed by a new one
    wait_until(page, f"JSON.parse(localStorage['head:{night.league.pk}'] ?? '{{}}').sequence === 2")
    expect(banner).to_be_hidden()
    rewrite_past(night.league, "another reason")
    for path in (at, f"/nights/{night.pk}", f"/nights/{night.pk}/receipt"):
        phone.go(path)
        expect(banner).to_contain_text("the service now shows a different one.")
    phone.press("I know the reason. Accept the change")
    expect(banner).to_be_hidden()
    phone.go(at)
    expect(banner).to_be_hidden()


def test_phone_reports_missing_closings(phone: Phone, night: Night) -> None:
    """The closings are missing because an older backup was restored."""
    a_proof(night)
    phone.go(f"/leagues/{night.league.pk}")
    phone.page.evaluate(
        "([key, hash]) => { localStorage[key] = JSON.stringify({ sequence: 3, hash }); }",
        [f"head:{night.league.pk}", "ab" * 32],
    )
    phone.go(f"/leagues/{night.league.pk}")
    banner = phone.page.locator("#closings-check [role=alert]")
    expect(banner).to_contain_text(
        "seen 3 closed nights of this league, but the service now has only 1."
    )
    expect(banner).to_contain_text("restored an older backup")
