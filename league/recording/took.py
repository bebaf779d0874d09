"""The rule that the chips taken from the pot add up to the pot."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from league.common.errors import Problem, problem
from league.hands.chip_movements import unaccounted
from league.hands.validation import Verdict


def wrong_took(verdict: Verdict) -> Iterator[Problem]:
    """Yield a problem if `took` is neither the whole pot nor the pot less the carry.

    Otherwise the stacks would follow the rules, and `took` would have no effect. Imports skip this
    rule: a file may leave out rake or uncalled chips, and an import reports such a hand as
    disputed.
    """
    if verdict.errors or not (left := unaccounted(verdict.record, verdict.answer)):
        return
    took = sum(verdict.record["took"].values())
    text = (
        _("%(took)s of %(pot)s are taken: %(left)s are missing.")
        if left > 0
        else _("%(took)s are taken of %(pot)s: %(left)s too many.")
    )
    sums = {"took": took, "pot": took + left, "left": abs(left)}
    yield problem("took", "took-does-not-add-up", text % sums)
