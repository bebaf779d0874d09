"""Several phones at one table, in independent browser contexts."""

from typing import Any
from uuid import uuid4

from playwright.sync_api import Route, expect

from league.closing.close import Decisions, close_night
from league.models import ConflictingRecord, Hand, League, Night, Revision, Seat
from league.nights.nights import leave, seat, stacks
from league.people.leagues import add_player
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.browser.offline import unfold, waiting
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.pictures import look
from tests.helpers.browser.table import other, phone

__all__ = ["other", "phone"]

RESULT = {
    "players": [{"name": name, "paid": 5} for name in ("Ann", "Bob", "Cat")],
    "depth": "result",
    "took": {"Bob": 15},
}
REDRAWN_WITHIN = 3_000  # milliseconds


def lose(route: Route) -> None:
    """Drop all requests that the page sends. Pages still load."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def write_down(phone: Phone, winner: str) -> None:
    phone.press("Record a hand")
    phone.choose("Nightmare")
    phone.result_only()
    phone.all_paid(5)
    phone.done()
    phone.tap(f".pill:has-text('{winner}')")


def saved(phone: Phone) -> None:
    phone.press("Save")
    expect(phone.page.get_by_role("heading", name="Hands")).to_be_visible()


def night(phone: Phone) -> None:
    phone.go(f"/nights/{Night.objects.get().pk}")


def test_saved_hand_appears_on_other_phones_within_three_seconds(
    phone: Phone, other: Phone
) -> None:
    """Open panels and typed text on the other phone are kept."""
    other.tap("summary:has-text('Rebuy')")
    other.page.fill("[name=chips]", "77")
    key = other.page.input_value("details[open] [name=key]")
    write_down(phone, "Bob")
    saved(phone)
    expect(other.page.locator(".hand-line")).to_have_count(1, timeout=REDRAWN_WITHIN)
    expect(other.page.locator(".stacks tr", has_text="Bob")).to_contain_text("110")
    expect(other.page.locator("[name=chips]")).to_have_value("77")
    expect(other.page.locator("[name=chips]")).to_be_focused()
    assert other.page.input_value("details[open] [name=key]") == key


def test_page_update_with_a_new_undo_form_does_not_duplicate_lists(phone: Phone) -> None:
    """The undo form for the next hand appears above the focused field.

    It disappears after ten seconds, as in the README. The service accepts the request for longer.
    """
    write_down(phone, "Bob")
    saved(phone)
    phone.tap("summary:has-text('Rebuy')")
    phone.page.fill("details[open] [name=chips]", "77")
    first = Revision.objects.get()
    record = {"variant": "nightmare", "button": 0, **RESULT}
    record_hand(Night.objects.get(), uuid4(), record, by=first.made_by)
    expect(phone.page.locator(".hand-line")).to_have_count(2, timeout=REDRAWN_WITHIN)
    expect(phone.page.get_by_text("Hand 2 saved.")).to_be_visible()
    for heading in ("Hands", "Stacks"):
        expect(phone.page.get_by_role("heading", name=heading, exact=True)).to_have_count(1)
    bar = phone.page.locator("form.undo")
    expect(bar).to_have_count(1)
    expect(phone.page.locator("details[open] [name=chips]")).to_have_value("77")
    expect(bar).to_be_visible()
    bar.evaluate("(bar) => bar.getAnimations().forEach((each) => each.finish())")
    expect(bar).to_be_hidden()


def test_same_hand_recorded_on_two_phones_is_saved_once(phone: Phone, other: Phone) -> None:
    for device in (phone, other):
        write_down(device, "Bob")
    saved(phone)
    expect(other.page.locator("#new-hand-1")).to_contain_text("Another phone saved hand 1")
    look(other, "new-hands")
    saved(other)
    expect(other.page.get_by_text("Another phone recorded the same")).to_be_visible()
    assert Hand.objects.count() == 1
    assert sorted(stacks(Night.objects.get()).values()) == [95, 95, 110]


def test_host_picks_one_of_two_records_of_a_hand(phone: Phone, other: Phone) -> None:
    for device, winner in ((phone, "Bob"), (other, "Cat")):
        write_down(device, winner)
    saved(phone)
    saved(other)
    expect(other.page.get_by_text("also recorded on another phone")).to_be_visible()
    note = phone.page.get_by_role("link", name="Hand 1 was recorded twice")
    expect(note).to_be_visible(timeout=REDRAWN_WITHIN)
    look(phone, "night-conflict")
    phone.tap(note)
    look(phone, "conflicts")
    phone.press("Use this one")
    expect(phone.page.get_by_text("now shows the version recorded by")).to_be_visible()
    assert ConflictingRecord.objects.get().state == ConflictingRecord.State.ACCEPTED
    assert phone.stack("Cat") == "110"


def test_waiting_hands_survive_updates_of_the_night_page(phone: Phone, other: Phone) -> None:
    """The open page reports the stored hand without a reload."""
    phone.page.route("**/record", lose)
    write_down(phone, "Bob")
    phone.press("Save")
    expect(waiting(phone)).to_have_count(1)
    night(phone)
    write_down(other, "Cat")
    saved(other)
    expect(phone.page.locator(".hand-line")).to_have_count(1)
    expect(waiting(phone)).to_have_count(1)
    phone.page.evaluate("window.isTheSame = true")
    phone.page.unroute("**/record")
    unfold(phone)
    phone.press("Send again")
    expect(phone.page.locator("#saved-hands")).to_contain_text(
        "Hand 1 was also recorded on another phone"
    )
    expect(phone.page.get_by_role("link", name="Hand 1 was recorded twice")).to_be_visible()
    assert phone.page.evaluate("window.isTheSame")


def test_conflicting_record_can_be_saved_as_the_next_hand(phone: Phone, other: Phone) -> None:
    for device, winner in ((phone, "Bob"), (other, "Cat")):
        write_down(device, winner)
    saved(phone)
    other.press("Save mine as the next hand")
    expect(other.page.locator("#new-hand-1")).to_be_hidden()
    saved(other)
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]
    assert not ConflictingRecord.objects.exists()


def test_open_stacks_of_the_recorder_follow_other_phones(phone: Phone, other: Phone) -> None:
    """The list used to stay as it was until it was closed."""
    other.press("Record a hand")
    other.tap("#table-now summary")
    stack = other.page.locator("#table-now .line", has_text="Bob").locator("b")
    expect(stack).to_have_text("100")
    record_hand(
        Night.objects.get(), uuid4(), RESULT | {"variant": "nightmare", "button": 0}, by=None
    )
    expect(stack).to_have_text("110", timeout=REDRAWN_WITHIN)


def test_rebuy_buys_in_the_named_player_after_the_list_was_updated(
    phone: Phone, other: Phone
) -> None:
    """The button of a row used to buy in the player who had that row before."""
    night = Night.objects.get()
    players = {seat.player.name: seat.player for seat in night.seats.select_related("player")}
    lost = {"players": [{"name": name, "paid": 100} for name in players], "depth": "result"}
    lost |= {"took": {"Bob": 300}, "variant": "nightmare", "button": 0}
    record_hand(night, uuid4(), lost, by=None)
    phone.press("Record a hand")
    rows = phone.page.locator("#table-now .bust")
    expect(rows).to_have_count(2)
    phone.page.evaluate("window.kept = true")
    leave(night, players["Ann"])
    expect(rows).to_have_count(1)
    phone.press("Buy in Cat for 100")
    expect(phone.page.locator("#table-now .bought")).to_contain_text("Cat")
    assert phone.page.evaluate("window.kept")
    assert stacks(night)[players["Cat"].pk] == 100
    assert stacks(night)[players["Ann"].pk] == 0


def test_selects_keep_their_values_after_a_player_left(phone: Phone) -> None:
    """Every name used to have the id of the player above, so the rebuy went to another player."""
    night = Night.objects.get()
    players = {player.name: str(player.pk) for player in night.league.players.all()}
    leave(night, night.league.players.get(name="Ann"))
    expect(phone.page.locator(".stacks .tag")).to_have_text("left")
    shown = phone.page.evaluate(
        "[...document.querySelectorAll('select[name=player] option')].map((each) =>"
        " [each.textContent.trim(), each.value])"
    )
    assert len(shown) > len(players)
    assert all(value == players.get(name, "") for name, value in shown)


def test_typed_count_stays_with_its_player_when_rows_move(phone: Phone) -> None:
    """Ann comes back to a different seat, so the row above Bob's moves to the end."""
    phone.press("Count chips")
    names = phone.page.locator(".count .person")
    expect(names.first).to_contain_text("Ann")
    phone.page.get_by_label("Chips of Bob").fill("42")
    night = Night.objects.get()
    ann = night.league.players.get(name="Ann")
    leave(night, ann)
    Seat.objects.filter(player=ann).update(position=9)
    seat(night, ann)
    expect(names.last).to_contain_text("Ann")
    bob = phone.page.locator(".count tr", has_text="Bob")
    expect(bob.get_by_label("Chips of Bob")).to_have_value("42")


def test_chip_count_on_one_phone_appears_on_the_others(phone: Phone, other: Phone) -> None:
    for device in (phone, other):
        device.press("Count chips")
    mine = phone.page.get_by_label("Chips of Ann")
    mine.fill("42")
    other.page.get_by_label("Chips of Bob").fill("100")
    other.press("Save count")
    expect(phone.page.get_by_label("Chips of Bob")).to_have_value("100")
    expect(mine).to_have_value("42")


def test_league_pages_update_automatically(phone: Phone, other: Phone) -> None:
    """Typed text is kept, as on the night's page."""
    page, night = phone.page, Night.objects.select_related("season__league").get()
    league = night.season.league
    phone.go(f"/leagues/{league.pk}")
    phone.tap("summary:has-text('Add players')")
    page.fill("#players [name=name]", "Da")
    write_down(other, "Cat")
    saved(other)
    expect(page.locator("#nights-title ~ ul")).to_contain_text("1 hand")
    add_player(league, "Eve")
    expect(page.locator("#players")).to_contain_text("Eve")
    expect(page.locator("#players [name=name]")).to_have_value("Da")
    phone.go(f"/seasons/{night.season_id}")
    count_marked(league.pk)
    expect(page.locator("#forms-title")).to_be_visible()


def test_hand_and_closing_pages_update_automatically(phone: Phone) -> None:
    page, night = phone.page, Night.objects.get()
    write_down(phone, "Cat")
    saved(phone)
    hand = Hand.objects.get()
    phone.go(f"/hands/{hand.pk}")
    expect(page.get_by_role("heading", name="Nightmare")).to_be_visible()
    phone.tap("summary:has-text('Undo')")
    page.fill("#reason", "they never")
    record = hand.revisions.get().record
    revise_hand(hand, uuid4(), record, by=None, reason="paid again")
    expect(page.get_by_text("paid again")).to_be_visible()
    expect(page.locator("#reason")).to_have_value("they never")
    phone.go(f"/nights/{night.pk}/close")
    expect(page.get_by_text("Not counted")).to_be_visible()
    expect(page.locator("#outcome")).not_to_contain_text("pays")
    page.locator("[name=by_hands]").check()
    expect(page.locator("#outcome")).to_contain_text("Ann pays Cat (5 chips)")
    revise_hand(hand, uuid4(), record | {"took": {"Bob": 15}}, by=None)
    expect(page.locator("#outcome")).to_contain_text("Ann pays Bob (5 chips)")
    expect(page.locator("[name=by_hands]")).to_be_checked()
    page.locator("[name=by_hands]").uncheck()
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    expect(page.locator(".podium")).to_be_visible()


def test_host_can_sign_out_another_phone(phone: Phone, other: Phone) -> None:
    league = League.objects.get()
    phone.go(f"/leagues/{league.pk}/phones")
    look(phone, "phones")
    button = phone.page.get_by_role("button", name="Sign out Bob", exact=True)
    button.tap()
    expect(
        phone.page.get_by_text("No devices yet. Players join with the league's code.")
    ).to_be_visible()
    expect(other.page.get_by_text("This phone is signed out")).to_be_visible(timeout=REDRAWN_WITHIN)
    night(other)
    assert "/sign-in" in other.page.url


def test_page_reports_a_lost_connection_and_catches_up(phone: Phone, other: Phone) -> None:
    other.page.context.set_offline(True)
    expect(other.page.get_by_text("This page may be out of date")).to_be_visible()
    write_down(phone, "Bob")
    saved(phone)
    other.page.context.set_offline(False)
    expect(other.page.locator(".hand-line")).to_have_count(1, timeout=REDRAWN_WITHIN)
    expect(other.page.get_by_text("This page may be out of date")).to_be_hidden()


def test_hidden_page_sends_no_requests(phone: Phone) -> None:
    """The test first opens the panel for joining with a phone, which shows a QR code."""
    phone.tap("summary:has-text('Join with a phone')")
    expect(phone.page.locator(".join .qr")).to_be_visible()
    look(phone, "join")
    requests: list[Any] = []
    phone.page.on(
        "request", lambda each: requests.append(each.url) if "pulse" in each.url else None
    )
    phone.page.clock.install()
    phone.page.reload()
    with phone.page.expect_request("**/pulse"):
        pass
    phone.page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
    )
    phone.page.clock.run_for(5_000)
    requests.clear()
    phone.page.clock.run_for(60_000)
    assert not requests
