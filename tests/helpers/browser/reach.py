"""The effort of recording a hand on a phone: taps, and how often the page jumps."""

from dataclasses import dataclass

from playwright.sync_api import Error, Locator

from tests.helpers.browser.phone import Phone

FAR = 200  # pixels; after scrolling this far, the previous content is out of view
PLACE = "[performance.timeOrigin, scrollY]"
# Measures layout shifts not caused by touch, and the duration of events.
WATCH = """
    window.moved = []; window.slow = [];
    const watch = (told, deed) => new PerformanceObserver((list) => list.getEntries().forEach(deed))
        .observe({ buffered: true, ...told });
    watch({ type: "layout-shift" }, ({ value, hadRecentInput, sources }) => {
        const nodes = sources.map((each) => each.node?.outerHTML);
        if (value && !hadRecentInput) moved.push([value, ...nodes]);
    });
    watch({ type: "event", durationThreshold: 104 }, ({ duration }) => slow.push(duration));
"""


@dataclass
class Reach(Phone):
    """Counts taps, page jumps, and the distance scrolled by hand."""

    jumps: int = 0
    scrolls: int = 0
    left: tuple[float, float] = (0, 0)

    def tap(self, target: str | Locator) -> None:
        where = self.page.locator(target).first if isinstance(target, str) else target
        page, place = self._place()
        if page == self.left[0]:
            self.jumps += abs(place - self.left[1]) > FAR
        where.scroll_into_view_if_needed()
        _page, reached = self._place()
        self.scrolls += abs(reached - place) > FAR
        super().tap(where)
        self.left = (page, reached)

    def begin(self) -> None:
        """Reset the counts."""
        self.taps = self.jumps = self.scrolls = 0
        self.left = self._place()

    def _place(self) -> tuple[float, float]:
        try:
            page, top = self.page.evaluate(PLACE)
        except Error:  # the page is changing
            self.page.wait_for_load_state()
            page, top = self.page.evaluate(PLACE)
        return page, top
