"""Hands that are waiting on a phone."""

from playwright.sync_api import Locator, Page, expect

from league.pages.offline import batches
from tests.helpers.browser.phone import Phone

# Wait until the phone has cached the recording page and the scripts.
READY = """async () => {
    await navigator.serviceWorker.ready;
    const done = async () => {
        const pages = (await caches.keys()).find((name) => name.startsWith("pages "));
        const kept = pages ? await (await caches.open(pages)).keys() : [];
        return navigator.serviceWorker.controller && kept.some(({url}) => url.endsWith("/record"));
    };
    while (!(await done())) await new Promise((wake) => setTimeout(wake, 100));
}"""
# Wait until the phone has the forms of one game (given its slug) or of all games ("at").
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
# Wait until the phone has cached a page (by path) for offline use.
HAS_PAGE = """async (page) => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller || !(await caches.match(page))) {
        await new Promise((wake) => setTimeout(wake, 100));
    }
}"""
ALL_GAMES = "at"
HOLDEM = "texas-holdem"


def fetch_first_forms(page: Page) -> None:
    """Block all batches of forms but the first. Rendering all takes a minute of processor time."""
    later = [f"*/forms/*/{place}" for place in range(1, batches({}))]
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setBlockedURLs", {"urls": later})


def waiting(phone: Phone) -> Locator:
    return phone.page.locator("#waiting li:has([data-part=game])")


def unfold(phone: Phone) -> None:
    """Show the hands that wait for a connection."""
    if phone.page.locator("#waiting details:not([open])").is_visible():
        phone.tap("#waiting summary")


def write_result(
    phone: Phone, game: str = "Texas Hold'em", paid: int = 5, winner: str = "Bob"
) -> None:
    phone.choose(game)
    phone.result_only()
    phone.all_paid(paid)
    phone.done()
    phone.tap(f".pill:has-text('{winner}')")


def keep_result(phone: Phone, waits: int, paid: int = 5, winner: str = "Bob") -> None:
    write_result(phone, paid=paid, winner=winner)
    phone.press("Save")
    expect(waiting(phone)).to_have_count(waits)
    # A waiting hand is listed before the phone has tried to send it. If the connection came back
    # now, the phone would treat the hand as saved and leave the page.
    expect(phone.page.locator("#record[aria-busy]")).to_have_count(0)
