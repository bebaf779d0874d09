"""A league's own words on its house rules. Versions are added, and never changed or deleted."""

from django.db import transaction

from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import problem, refuse
from league.common.text import wrong_text
from league.house_rules.irregularities import title_of
from league.journal import entries
from league.models import LONGEST_HOUSE_RULES, HouseRule, League, User

MOST_SHOWN = 50


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
