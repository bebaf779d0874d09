"""Kinds of notices, as data. A new one is a member here, a row of `KINDS` and a message of its own.

By mail comes, unless chosen otherwise, what does not wait for the table; what only matters while
a hand is dealt is no mail at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SOON, TODAY, THIS_WEEK = timedelta(minutes=10), timedelta(hours=12), timedelta(days=7)


class Part(StrEnum):
    """The parts of an evening, in which kinds stand together."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


PARTS: Mapping[Part, Promise] = {
    Part.BEFORE: _("Before the night"),
    Part.DURING: _("At the table"),
    Part.AFTER: _("Afterwards"),
}


class Kind(StrEnum):
    NIGHT_PLANNED = "night-planned"
    ANSWER_WANTED = "answer-wanted"
    MOVED_UP = "moved-up"
    NIGHT_CHANGED = "night-changed"
    NIGHT_CANCELLED = "night-cancelled"
    DEAL_NEXT = "deal-next"
    DECLARE = "declare"
    COUNT = "count"
    NIGHT_CLOSED = "night-closed"
    NIGHT_UNSETTLED = "night-unsettled"
    PAYMENT_DUE = "payment-due"
    PAID = "paid"
    CONFIRMED = "confirmed"
    HAND_CORRECTED = "hand-corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a kind is called on the page, how it comes unless chosen, and how long it is news."""

    title: Promise
    part: Part
    lasts: timedelta
    push: bool = True
    mail: bool = False
    mailed: bool = True  # whether there is a mail of it at all


KINDS: Mapping[Kind, About] = {
    Kind.NIGHT_PLANNED: About(title=_("A night is planned"), part=Part.BEFORE, lasts=THIS_WEEK),
    Kind.ANSWER_WANTED: About(
        title=_("Tomorrow is a night: do you come?"),
        part=Part.BEFORE,
        lasts=TODAY,
        mail=True,
    ),
    Kind.MOVED_UP: About(
        title=_("You move up to a seat"), part=Part.BEFORE, lasts=THIS_WEEK, mail=True
    ),
    Kind.NIGHT_CHANGED: About(
        title=_("A night of yours has another time or place"),
        part=Part.BEFORE,
        lasts=THIS_WEEK,
        mail=True,
    ),
    Kind.NIGHT_CANCELLED: About(
        title=_("A night of yours is called off"), part=Part.BEFORE, lasts=THIS_WEEK, mail=True
    ),
    Kind.DEAL_NEXT: About(title=_("You deal next"), part=Part.DURING, lasts=SOON, mailed=False),
    Kind.DECLARE: About(
        title=_("Your declare is awaited"), part=Part.DURING, lasts=SOON, mailed=False
    ),
    Kind.COUNT: About(title=_("Count your chips"), part=Part.DURING, lasts=TODAY),
    Kind.NIGHT_CLOSED: About(
        title=_("A night is closed: what you won, whom to pay"),
        part=Part.AFTER,
        lasts=THIS_WEEK,
        mail=True,
    ),
    Kind.NIGHT_UNSETTLED: About(
        title=_("A night waits for you as its host"), part=Part.AFTER, lasts=THIS_WEEK, mail=True
    ),
    Kind.PAYMENT_DUE: About(
        title=_("Something is still to be paid"), part=Part.AFTER, lasts=THIS_WEEK, mail=True
    ),
    Kind.PAID: About(title=_("Somebody says that you were paid"), part=Part.AFTER, lasts=THIS_WEEK),
    Kind.CONFIRMED: About(title=_("Your payment has come"), part=Part.AFTER, lasts=THIS_WEEK),
    Kind.HAND_CORRECTED: About(
        title=_("A hand of yours was corrected"), part=Part.AFTER, lasts=THIS_WEEK
    ),
}
