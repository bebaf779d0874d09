"""Hands that wait on a phone."""

from playwright.sync_api import Locator, expect

from tests.helpers.browser.phone import Thumb

# Wait until the phone has the forms of a game (its slug), or of all games ("at").
HAS_FORMS = """(key) => new Promise((resolve) => {
    const look = () => { const asked = indexedDB.open("dealers-choice"); asked.onsuccess = () => {
        const forms = asked.result.transaction("forms").objectStore("forms").get(key);
        forms.onsuccess = () => {
            asked.result.close();
            if (forms.result) resolve(); else setTimeout(look, 200);
        };
    }; };
    look();
})"""
# Wait until the phone keeps a page (its path) for a time without a signal.
HAS_PAGE = """async (page) => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller || !(await caches.match(page))) {
        await new Promise((wake) => setTimeout(wake, 100));
    }
}"""
ALL_GAMES = "at"
HOLDEM = "texas-holdem"


def waiting(thumb: Thumb) -> Locator:
    return thumb.page.locator("#waiting li:has([data-part=game])")


def write_result(
    thumb: Thumb, game: str = "Texas Hold'em", paid: int = 5, winner: str = "Bob"
) -> None:
    thumb.choose(game)
    thumb.result_only()
    thumb.all_paid(paid)
    thumb.done()
    thumb.tap(f".pill:has-text('{winner}')")


def keep_result(thumb: Thumb, waits: int, paid: int = 5, winner: str = "Bob") -> None:
    write_result(thumb, paid=paid, winner=winner)
    thumb.press("Save")
    expect(waiting(thumb)).to_have_count(waits)
    # What waits is listed before the phone has tried to send it: a signal that comes back now takes
    # this hand as the one that is being saved, and leaves the page with it.
    expect(thumb.page.locator("#record[aria-busy]")).to_have_count(0)
