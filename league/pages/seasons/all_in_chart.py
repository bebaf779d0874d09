"""The chart of a player's results beside all-in adjusted ones, and what it says of them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.charts.catalog import beside_all_ins
from league.pages.parts.numbers import signed
from league.pages.seasons.chart_view import Chart, lines
from league.stats.figures.attendance import Evenings
from league.stats.figures.skill.all_ins import AllInFigures, AllInNight, summed


def all_in_lines(nights: Evenings, ended: Sequence[AllInNight]) -> Chart:
    """Return the running net as it was, and as it were had each all-in brought its share."""
    read = beside_all_ins(nights, ended)
    if not read.players:
        return lines(read, name="all-ins", title="", words="")
    [told] = summed(ended)
    words = _("Line chart of the running net: %(net)s as it was, %(adjusted)s all-in adjusted.")
    was, adjusted = (signed(each.totals[-1]) for each in read.players)
    return lines(
        read,
        name="all-ins",
        title=_("All-in adjusted"),
        words=words % {"net": was, "adjusted": adjusted},
        note=_note(told),
    )


def _note(told: AllInFigures) -> str:
    """Return what was reckoned, and of how many hands that would have been too much."""
    sums = {"n": told.exact, "luck": signed(round(told.luck))}
    words = ngettext(
        "%(n)s all-in before the last card brought %(luck)s beside its share of the pot.",
        "%(n)s all-ins before the last card brought %(luck)s beside their shares of the pots.",
        told.exact,
    )
    if left := told.hands - told.exact:
        more = ngettext(
            "%(n)s more could end in too many ways to be reckoned.",
            "%(n)s more could end in too many ways to be reckoned.",
            left,
        )
        return f"{words % sums} {more % {'n': left}}"
    return words % sums
