"""What a hand costs the thumb: its taps, and how often the page is somewhere else."""

from dataclasses import dataclass

from playwright.sync_api import Error, Locator

from tests.helpers.browser.phone import Thumb

FAR = 200  # pixels: what was looked at is gone
PLACE = "[performance.timeOrigin, scrollY]"
# Measures movements of the page without a touch, and the duration of events.
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
class Reach(Thumb):
    """Counts taps, jumps of the page, and the distance that the thumb scrolled."""

    jumps: int = 0
    scrolls: int = 0
    left: tuple[float, float] = (0, 0)

    def tap(self, target: str | Locator) -> None:
        where = self.page.locator(target).first if isinstance(target, str) else target
        page, found = self._place()
        if page == self.left[0]:
            self.jumps += abs(found - self.left[1]) > FAR
        where.scroll_into_view_if_needed()
        _page, reached = self._place()
        self.scrolls += abs(reached - found) > FAR
        super().tap(where)
        self.left = (page, reached)

    def begin(self) -> None:
        """Count from here."""
        self.taps = self.jumps = self.scrolls = 0
        self.left = self._place()

    def _place(self) -> tuple[float, float]:
        try:
            page, top = self.page.evaluate(PLACE)
        except Error:  # it is left just now
            self.page.wait_for_load_state()
            page, top = self.page.evaluate(PLACE)
        return page, top
