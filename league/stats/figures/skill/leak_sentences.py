"""What a leak is in words: a sentence for each kind of choice, and one on how sure it is."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.stats.choices import DEALT, DECLARED, HOUR, SEAT, STAYED

Words = str | Promise

# By kind, and where it has words of its own by which.
COSTS: Mapping[tuple[str, str], Words] = {
    (DECLARED, "both"): _("At %(game)s, going both ways costs %(name)s %(chips)s a night."),
    (DECLARED, "high"): _("At %(game)s, going high costs %(name)s %(chips)s a night."),
    (DECLARED, "low"): _("At %(game)s, going low costs %(name)s %(chips)s a night."),
    (DECLARED, ""): _("At %(game)s, declaring %(which)s costs %(name)s %(chips)s a night."),
    (STAYED, ""): _("At %(game)s, staying to the end costs %(name)s %(chips)s a night."),
    (DEALT, ""): _("Dealing %(game)s costs %(name)s %(chips)s a night."),
    (SEAT, "0"): _("As the dealer %(name)s makes %(chips)s a night less than others do."),
    (SEAT, ""): _(
        "In seat %(which)s after the dealer %(name)s makes %(chips)s a night less than others do."
    ),
    (HOUR, "0"): _("The first hour of a night costs %(name)s %(chips)s."),
    (HOUR, ""): _("From %(which)s to %(end)s hours into a night %(name)s loses %(chips)s."),
}
HOW_SURE: Mapping[str, Words] = {
    "hardly-luck": _("It is hardly luck."),
    "probably-real": _("It is probably real."),
    "could-be-luck": _("It could well be luck."),
}


def sentence(*, kind: str, which: str, game: str, name: str, chips: int) -> str:
    """Return what it costs whom."""
    words = COSTS.get((kind, which)) or COSTS[kind, ""]
    end = str(int(which) + 1) if kind == HOUR else ""
    told = {"game": game, "which": which, "end": end, "name": name, "chips": f"{chips:,}"}
    return str(words) % told
