"""Pictures of the pages for the documentation."""

import os
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night
from league.nights.share_links import share_screen
from league.recording.record import record_hand
from tests.helpers.browser.animation import animated
from tests.helpers.browser.deals import WITH_PHONES, Table, table
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.pictures import compressed

__all__ = ["table"]

pytestmark = pytest.mark.pictures


def recorded(phone: Phone) -> None:
    """Fill in a hand of two-row Omaha-8 with declarations until the result is shown."""
    phone.sign_up()
    phone.make_league(["Ann", "Bob", "Cat", "Dan"], "Thursday at Joel's")
    phone.start_night(200)
    phone.press("Record a hand")
    phone.choose("Omaha-8")
    phone.modify("Two rows")
    phone.option("declare", "high-low")
    phone.all_paid(40)
    phone.paid("Bob", 15)
    phone.done()
    phone.state("Bob", "all-in")
    phone.fold("Dan")
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ah 5d 6s 8d Tc As Kd 3c 4c Qs Qd 7c 7h Ac Ad Kh")
    phone.done()
    for name, way in (("Ann", "low"), ("Bob", "high"), ("Cat", "both")):
        phone.declare(name, way)


DIVIDED = {
    "variant": "omaha-8",
    "button": 3,
    "players": [
        {"name": "Ann", "paid": 60, "down": ["Kh", "Kd", "Jc", "Ts"]},
        {"name": "Bob", "paid": 60, "down": ["5s", "6d", "9c", "9h"]},
        {"name": "Cat", "paid": 60, "down": ["Ah", "2c", "9d", "Jh"]},
        {"name": "Fay", "paid": 40, "folded": True},
    ],
    "board": [["3s", "4c", "8d", "Ks", "Qh"]],
}


def test_page_screenshots_are_taken(
    browser: Browser,
    live_server: LiveServer,
    browser_context_args: dict[str, Any],
    tmp_path: Path,
) -> None:
    folder = Path(os.environ.get("PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(**(browser_context_args | {"color_scheme": "dark"}))
    phone = Phone(context.new_page(), live_server.url)
    page = phone.page
    recorded(phone)
    phone.tap(phone.seat("Cat").locator(".slot").last)
    page.screenshot(path=folder / "deck.png")
    phone.cards("2c")
    expect(phone.verdict()).to_contain_text("Ann wins")
    phone.verdict().evaluate("each => each.scrollIntoView({block: 'start'})")
    page.screenshot(path=folder / "verdict.png")
    phone.save()
    page.screenshot(path=folder / "night.png")
    phone.tap(".hand-line")
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / "hand.png")
    phone.press("Replay")
    phone.press("Last step")
    phone.press("Previous step")
    page.screenshot(path=folder / "replay.png")
    context.close()
    assert (folder / "verdict.png").stat().st_size > 10_000


def test_tv_screen_screenshot_is_taken(
    browser: Browser, live_server: LiveServer, page: Page, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", usual=200)
    night = Night.objects.get()
    record_hand(night, uuid4(), DIVIDED, by=None)
    token = share_screen(night, by=night.league.created_by, shows_code=True)
    wall = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    tv = wall.new_page()
    tv.goto(f"{live_server.url}/screens/{token}")
    expect(tv.locator(".verdict")).to_be_visible()
    tv.wait_for_load_state("networkidle")
    tv.screenshot(path=folder / "screen.png")
    wall.close()
    assert (folder / "screen.png").stat().st_size > 10_000


def test_demo_screenshots_for_the_start_page_are_taken(
    browser: Browser,
    live_server: LiveServer,
    browser_context_args: dict[str, Any],
    tmp_path: Path,
) -> None:
    """The alt texts on the start page and in link previews describe these pictures."""
    folder = Path(os.environ.get("LANDING", tmp_path))
    scheme = {"color_scheme": "dark", "device_scale_factor": 1.5}
    context = browser.new_context(**(browser_context_args | scheme))
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 560})
    page.goto(live_server.url)
    page.get_by_role("button", name="Try the demo").click()
    latest = page.locator(".latest")
    expect(latest).to_contain_text("Bob wins 37, Fay wins 36")
    latest.locator("summary").click()
    latest.evaluate("each => scrollTo(0, each.getBoundingClientRect().top + scrollY - 12)")
    page.locator(".league-nav, .undo").evaluate_all("all => all.forEach((one) => one.remove())")
    verdict = page.screenshot()
    tv = context.new_page()
    tv.set_viewport_size({"width": 1280, "height": 720})
    tv.goto(f"{live_server.url}{reverse('demo-screen')}")
    expect(tv.locator(".verdict")).to_contain_text("37")
    tv.wait_for_load_state("networkidle")
    screen = tv.screenshot(scale="css")
    tv.set_viewport_size({"width": 1200, "height": 630})
    preview = tv.screenshot(scale="css")
    blank = browser.new_page()
    for name, png in (("tv.webp", screen), ("verdict.webp", verdict), ("preview.jpg", preview)):
        kind = "image/webp" if name.endswith("webp") else "image/jpeg"
        (folder / name).write_bytes(compressed(blank, png, kind))
        assert 10_000 < (folder / name).stat().st_size < 90_000
    blank.close()
    context.close()


PHONES = """<style>
    body { margin: 0; padding: 12px; background: #10241d; display: grid; gap: 12px;
           grid-template-columns: repeat(3, 1fr); width: 696px; }
    img { width: 100%; display: block; border-radius: 14px; }
</style>"""


def scenes(table: Table) -> Iterator[None]:
    """Play a hand on all phones, pausing at each scene for a picture."""
    recorder = table.recorder
    table.open_phones(*WITH_PHONES)
    for phone in table.phones.values():
        phone.page.emulate_media(color_scheme="dark")
    table.name("Omaha-8")
    recorder.tap("summary:has-text('Change game or options')")
    recorder.page.select_option("[name='options/declare']", "high-low")
    recorder.press("Save changes")
    yield
    table.play_to("One card on the board", nth=2)
    table.fold("Dan", "Eve", "Fay")
    table.play_to("Declare now")
    table.lock("Ann", "High")
    yield
    recorder.tap("summary:has-text('Declare for a player')")
    recorder.tap(recorder.page.get_by_role("button", name="Low for Gus"))
    table.lock("Bob", "Low")
    table.lock("Cat", "High")
    for phone in table.phones.values():
        expect(phone.page.locator("#deal .seat-status li", has_text="Bob")).to_contain_text("Low")
    yield
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    for name, cards in (("Ann", "Ah Kh Kd 9c"), ("Bob", "As 4c 8d Jd"), ("Cat", "Qh Qs Jh Th")):
        table.show(name, cards)
    for phone in table.phones.values():
        told = phone.page.locator("#deal .seat-status li", has_text="Cat").locator(".card")
        expect(told).to_have_count(4)
    yield
    table.write_hand("Ac 5d 6h 6d")
    recorder.press("Save")
    for phone in table.phones.values():
        expect(phone.page.locator(".latest h2")).to_be_visible()
        phone.page.evaluate("scrollTo(0, document.querySelector('.latest').offsetTop - 60)")
    yield


def test_six_phone_screenshots_are_taken(table: Table, browser: Browser, tmp_path: Path) -> None:
    """A game is named, dealt and declared blind. All phones report cards and show the winner."""
    folder = Path(os.environ.get("PICTURES", tmp_path))
    canvas = browser.new_page(viewport={"width": 720, "height": 852}, device_scale_factor=1)
    frames: list[bytes] = []
    for _scene in scenes(table):
        shots = (each.page.screenshot() for each in table.phones.values())
        tags = (f'<img src="data:image/png;base64,{b64encode(shot).decode()}">' for shot in shots)
        canvas.set_content(PHONES + "".join(tags))
        frames.append(canvas.screenshot())
    canvas.close()
    path = folder / "phones.png"
    path.write_bytes(animated(frames, seconds=2.5))
    assert path.read_bytes().count(b"fcTL") == len(frames)
