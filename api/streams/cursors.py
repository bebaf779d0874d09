"""Which feeds are streamed, and how far a reader is: the `id` of each event, `since` of a request.

Of one feed it is the feed's own cursor; of several each has its name: `hands:4711,transfers:812`.
"""

import re
from collections.abc import Iterable, Mapping

from api.feeds.dictionary import FEEDS
from api.feeds.row_feed import Feed
from api.feeds.views import LARGEST_CURSOR

NAMES = ("hands", "nights", "transfers")
STREAMED: Mapping[str, Feed] = {each.name: each for each in FEEDS if each.name in NAMES}
WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)


def read_cursors(text: str, names: Iterable[str]) -> dict[str, int]:
    """Return the cursor of each of these feeds, 0 where none is told. ValueError for none at all.

    A number alone is the cursor of the only feed.
    """
    wanted = dict.fromkeys(names, 0)
    if WHOLE.fullmatch(text) and len(wanted) == 1:
        return dict.fromkeys(wanted, _cursor(text))
    told: dict[str, int] = {}
    for part in text.split(",", len(wanted)):
        name, _, number = part.partition(":")
        if name not in wanted or name in told:
            raise ValueError(name)
        told[name] = _cursor(number)
    return wanted | told


def written(cursors: Mapping[str, int]) -> str:
    """Return the cursors as an `id`, from which `read_cursors` reads them."""
    if len(cursors) == 1:
        return str(*cursors.values())
    return ",".join(f"{name}:{cursor}" for name, cursor in cursors.items())


def _cursor(text: str) -> int:
    if not WHOLE.fullmatch(text) or int(text) > LARGEST_CURSOR:
        raise ValueError(text)
    return int(text)
