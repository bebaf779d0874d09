"""What is deprecated: said where a view or its method is declared, told by answers and schema.

`Deprecation` is RFC 9745, `Sunset` RFC 8594, with links to the page that says what to do instead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.utils.http import http_date

# So long what is deprecated goes on at least: a season of nights, and time to notice.
NOTICE = timedelta(days=180)
Declared = TypeVar("Declared", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """Since when, until when at least, the page about it, and the address that takes its place."""

    since: datetime
    sunset: datetime
    link: str
    successor: str = ""

    def __post_init__(self) -> None:
        if self.sunset - self.since < NOTICE:
            raise ValueError(f"what is deprecated goes on for {NOTICE.days} days")

    def headers(self) -> dict[str, str]:
        """Return what every answer says of it."""
        links = [
            f'<{self.link}>; rel="{rel}"; type="text/html"' for rel in ("deprecation", "sunset")
        ]
        if self.successor:
            links.append(f'<{self.successor}>; rel="successor-version"')
        return {
            "Deprecation": f"@{int(self.since.timestamp())}",
            "Sunset": http_date(self.sunset.timestamp()),
            "Link": ", ".join(links),
        }

    def __str__(self) -> str:
        instead = f" Use {self.successor} instead." if self.successor else ""
        return f"Deprecated, and gone from {self.sunset:%Y-%m-%d} on: {self.link}.{instead}"


def deprecated(told: Deprecation) -> Callable[[Declared], Declared]:
    """Declare a method of a view, or a whole view, deprecated."""

    def declare(declared: Declared) -> Declared:
        declared.deprecation = told  # type: ignore[attr-defined]
        return declared

    return declare


def deprecation_of(view: object, method: str) -> Deprecation | None:
    """Return what is said of the method of a view, or of the whole view."""
    handler = getattr(view, method.lower(), None)
    return getattr(handler, "deprecation", None) or getattr(view, "deprecation", None)
