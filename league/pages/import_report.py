"""The report of an import on pages: its nights, and what was refused."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.common.money import in_money, worth
from league.common.text import name_order
from league.models import League, Night
from league.models.nights import name_in_words
from league.pages.parts.numbers import MINUS

MOST_NETS = 10  # a night with more players shows the biggest winner and loser


def is_new(summary: dict[str, Any]) -> bool:
    """Return whether the files contain something that the league did not have."""
    return bool(summary["recorded"] or any(night["is_new"] for night in summary["nights"]))


def title_of(summary: dict[str, Any]) -> str:
    if not summary["is_recorded"] and (is_new(summary) or summary.get("strangers")):
        return _("Preview")
    if is_new(summary):
        return _("Imported")
    known = summary["known"] or summary["nights"]
    return _("Already imported") if known else _("Nothing imported")


def remarks_of(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the refused entries and the warnings, up to the number that a page shows."""
    titles = {
        "refused": _("Not imported"),
        "differences": _("Stacks that don't match the hands and buy-ins"),
        "findings": _("Different from the rules"),
    }
    remarks = ((name, title, summary["remarks"][name]) for name, title in titles.items())
    return [
        {
            "id": name,
            "title": title,
            "some": remark["some"],
            "more": remark["count"] - len(remark["some"]),
        }
        for name, title, remark in remarks
        if remark["some"]
    ]


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night in the report, with its players' nets, in chips and in money.

    `id` is empty if the league has no such night. `is_new` is false if it has all of it. `more` is
    the number of players who are not listed. `reasons` explain why the import does not close the
    night. `difference` says who gets or pays the ledger's difference. `warning` says that
    the night may count twice.
    """

    id: str
    name: str
    hands: int
    is_new: bool
    nets: list[tuple[str, int, str]]
    more: int
    reasons: list[str]
    difference: str
    warning: str


def night_lines(summary: dict[str, Any], league: League) -> list[NightLine]:
    planned, lines = summary["nights"], []
    rows = Night.objects.filter(season__league=league, pk__in=[each.get("id") for each in planned])
    there = {str(pk) for pk in rows.values_list("pk", flat=True)}
    for night in planned:
        won = night["won"]
        shown = won if len(won) <= MOST_NETS else [won[0], won[-1]]
        nets = [(name, chips, in_money(chips, league)) for name, chips in shown]
        more = len(won) - len(shown)
        at = night["id"] if night.get("id") in there else ""
        name = name_in_words(night["name"])
        line = (at, name, night["hands"], night["is_new"], nets, more, night["reasons"])
        difference = _difference(night.get("shares") or {}, league)
        lines.append(NightLine(*line, difference, night.get("warning", "")))
    return lines


def _difference(shares: dict[str, int], league: League) -> str:
    """Return who gets or pays what: "Ledger difference of 5.00 USD: Bob +2.50, Hal +2.50"."""
    if not shares:
        return ""
    amount = in_money(abs(sum(shares.values())), league)
    some = [
        (name, shares[name], worth(abs(shares[name]), league))
        for name in sorted(shares, key=name_order)
    ]
    parts = ", ".join(
        f"{name} {'+' if chips > 0 else MINUS}{value}" for name, chips, value in some if chips
    )
    return _("Ledger difference of %(amount)s: %(parts)s") % {"amount": amount, "parts": parts}
