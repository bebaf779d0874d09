"""A league's own words on its house rules, and the irregularities that they can be about.

Versions of the words are added, and never changed or deleted. The irregularities, with the usual
ruling on each, are in a TOML document.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import transaction

from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import problem, refuse
from league.common.text import wrong_text
from league.journal import entries
from league.models import LONGEST_HOUSE_RULES, HouseRule, League, User

MOST_SHOWN = 50  # versions
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


@transaction.atomic
def write_rule(league: League, topic: str, text: str, *, by: User | None) -> HouseRule | None:
    """Add a version of the league's words on a topic, and return the current version, if any.

    Spaces around lines and empty lines are removed. Saving the current words again changes nothing.
    Raises RefusedError.
    """
    text = "\n".join(filter(None, (line.strip() for line in text.splitlines())))
    bump_league(league.pk)  # locks the league, so that versions are numbered one after the other
    rows = HouseRule.objects.filter(league=league)
    wrong = []
    if topic and not title_of(topic):
        wrong.append(problem("topic", "unknown-topic", "there is no such irregularity"))
    # Line breaks are the only control characters in the text.
    words = text.replace("\n", " ")
    refuse([*wrong, *wrong_text("text", words, longest=LONGEST_HOUSE_RULES, needed=False)])
    last = rows.filter(topic=topic).order_by("-number").first()
    if text == (last.text if last else ""):
        return last
    refuse(row_limits.HOUSE_RULES.exceeded(rows))
    number = last.number + 1 if last else 1
    rule = HouseRule.objects.create(
        league=league, topic=topic, number=number, text=text, made_by=by
    )
    entries.append(league, entries.Kind.WRITTEN, rows.filter(pk=rule.pk))
    return rule


def current_rules(league: League) -> dict[str, HouseRule]:
    """Return the current version of each topic that the league has words on."""
    rows = HouseRule.objects.filter(league=league).order_by("number")
    latest = {rule.topic: rule for rule in rows}
    return {topic: rule for topic, rule in latest.items() if rule.text}


def rule_history(league: League) -> list[HouseRule]:
    """Return the latest versions on all topics, latest first."""
    rows = HouseRule.objects.filter(league=league).select_related("made_by")
    return list(rows.order_by("-made_at", "-number")[:MOST_SHOWN])
