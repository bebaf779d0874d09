"""The irregularities at a table, with the usual ruling on each, read from a TOML document."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DOCUMENT = Path(__file__).with_name("irregularities.toml")


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity. `address` is the source's web page, or ""."""

    id: str
    title: str
    ruling: str
    source: str
    address: str


@cache
def irregularities() -> tuple[Irregularity, ...]:
    """Return all irregularities, in the order in which pages list them."""
    document = tomllib.loads(DOCUMENT.read_text("utf-8"))
    sources = {source["id"]: source for source in document["sources"]}
    return tuple(
        Irregularity(
            each["id"],
            each["title"],
            each["ruling"].strip(),
            f"{sources[each['source']]['title']}: {each['section']}",
            sources[each["source"]].get("address", ""),
        )
        for each in document["irregularities"]
    )


def title_of(topic: str) -> str:
    """Return the title of the irregularity, or "" if there is no such irregularity."""
    return next((each.title for each in irregularities() if each.id == topic), "")
