"""Dashboards that follow a league's feeds by cursor, as in docs/feeds.md."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.simulation.comparison import MismatchError
from tests.simulation.faults import Fault
from tests.simulation.service import Answer, Service

# A new row replaces earlier rows with the same value in this field. Transfers never change.
FEEDS = {"hands": "hand", "results": "hand", "nights": "night", "transfers": "transfer"}

LARGEST = 500  # maximum number of rows per page


@dataclass
class Follower:
    """A feed reader that keeps the latest rows for each hand, night or transfer."""

    feed: str
    address: str
    token: str
    cursor: int = 0
    known: dict[Any, list[dict[str, Any]]] = field(default_factory=dict)
    tag: tuple[str, Answer] | None = None

    def read(self, service: Service, size: int, fault: Fault | None = None) -> bool:
        """Read one page and return whether there are more. Raises MismatchError."""
        path = f"{self.address}?cursor={self.cursor}&page_size={size}"
        answer = self._ask(service, path, fault)
        if answer.status != 200:
            return False
        page = answer.json()
        for row in page["results"]:
            self._take(row)
        reached = page["results"][-1]["cursor"] if page["results"] else self.cursor
        if page["next"]:
            reached = int(parse_qs(urlsplit(page["next"]).query)["cursor"][0])
        if reached < self.cursor:
            raise MismatchError(f"{self.feed} go back from {self.cursor} to {reached}")
        if page["next"] and reached == self.cursor:
            raise MismatchError(f"{self.feed} have a next page that is this one")
        self.cursor = reached
        return bool(page["next"])

    def _ask(self, service: Service, path: str, fault: Fault | None) -> Answer:
        """Request a page, with the last ETag if the last response was for the same page."""
        tag = self.tag[1].etag if self.tag and self.tag[0] == path else ""
        answer = service.ask(self.token, "GET", path, tag=tag, fault=fault)
        if answer.status == 304 and self.tag:
            whole = service.ask(self.token, "GET", path)
            if whole.status == 200 and whole.body != self.tag[1].body:
                raise MismatchError(f"{path} was said to be unchanged, and is {whole.body!r}")
            return self.tag[1]
        if answer.status == 200:
            self.tag = path, answer
        return answer

    def read_all(self, service: Service) -> None:
        """Read all remaining pages. Raises MismatchError."""
        while self.read(service, LARGEST):
            pass

    def anew(self) -> "Follower":
        """Return a new follower that starts at the beginning of the feed."""
        return Follower(self.feed, self.address, self.token)

    def as_of_now(self) -> dict[Any, list[dict[str, Any]]]:
        """Return the rows without totals, which can change without new rows for their nights."""
        return {
            key: [{name: value for name, value in row.items() if name != "total"} for row in rows]
            for key, rows in sorted(self.known.items())
        }

    def _take(self, row: dict[str, Any]) -> None:
        if row["cursor"] <= self.cursor:
            raise MismatchError(f"{self.feed} after {self.cursor} have {row}")
        rows = self.known.setdefault(row[FEEDS[self.feed]], [])
        if rows and rows[0]["cursor"] < row["cursor"]:
            if self.feed == "transfers":
                raise MismatchError(f"a transfer came twice: {row}")
            rows.clear()
        rows.append(row)


def followers(league: str, token: str) -> list[Follower]:
    """Return a follower for each feed, starting at its beginning."""
    at = f"/api/v1/leagues/{league}/feeds"
    return [Follower(feed, f"{at}/{feed}", token) for feed in FEEDS]
