"""Pages use the width of a desktop screen."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from league.audit_log import Kind, log_action
from league.models import Night, Role, User
from league.people.leagues import add_member
from tests.helpers.browser.accessibility import DESK, sign_in
from tests.helpers.browser.phone import Phone
from tests.helpers.league.leagues import a_night

WIDE = 1000  # pixels, more than a phone column


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night()
    add_member(night.league, User.objects.create_user("joel"), Role.HOST)
    return night


@pytest.fixture
def desk(phone: Phone, night: Night) -> Phone:
    phone.page.set_viewport_size(DESK)
    sign_in(phone)
    return phone


def region(desk: Phone, name: str) -> Locator:
    return desk.page.get_by_role("region", name=name)


def box(element: Locator) -> Any:
    return element.bounding_box()


@pytest.mark.parametrize(
    ("path", "left", "right"),
    [
        ("/leagues/{0}/planned-nights", "Note", "Next nights"),
        ("/leagues/{0}/series", "Note", "Next nights"),
        ("/leagues/{0}/import", "File", "Files you can import"),
    ],
)
def test_form_is_shown_next_to_its_list(
    desk: Phone, night: Night, path: str, left: str, right: str
) -> None:
    desk.go(path.format(night.league.pk))
    form, aside = box(desk.page.get_by_label(left, exact=True)), box(region(desk, right))
    assert aside["x"] >= form["x"] + form["width"]
    assert aside["x"] + aside["width"] > WIDE


def test_devices_are_shown_next_to_notification_settings(desk: Phone) -> None:
    desk.go("/account/notices")
    devices = box(region(desk, "Your devices"))
    choices = box(desk.page.get_by_role("group", name="At the table"))
    assert choices["x"] >= devices["x"] + devices["width"]


def test_activity_log_shows_user_and_action_side_by_side(desk: Phone, night: Night) -> None:
    joel = User.objects.get(username="joel")
    for _ in range(2):
        log_action(Kind.CODE_RENEWED, by=joel, league=night.league)
    desk.go(f"/leagues/{night.league.pk}/logbook")
    row = desk.page.get_by_role("listitem").filter(has_text="created a new league code").first
    name, text = row.get_by_text("joel"), row.get_by_text("created a new league code")
    expect(name).to_be_visible()
    assert box(text)["x"] >= box(name)["x"] + box(name)["width"]


def test_groups_of_settings_are_side_by_side_below_the_search(desk: Phone, night: Night) -> None:
    desk.go(f"/leagues/{night.league.pk}/options")
    money, nights = box(desk.page.locator("#money")), box(desk.page.locator("#nights"))
    assert nights["x"] >= money["x"] + money["width"]
    assert nights["x"] + nights["width"] > WIDE
    search = box(desk.page.get_by_role("searchbox"))
    assert search["y"] + search["height"] <= money["y"]
