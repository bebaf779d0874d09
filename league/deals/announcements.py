"""When the game and its options were announced, and whether they changed during the deal."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from league.deals.table import game_of
from league.models import Announcement, Deal, Hand

MOST_CHANGES = 50  # later changes of a deal replace the last one that is kept


def note_change(deal: Deal, modifiers: Sequence[str], options: Mapping[str, Any]) -> None:
    """Note that the options are about to change. The caller saves the deal.

    Until the deal advances past the stage of the first cards, a change is part of the announcement.
    """
    if (deal.modifiers, deal.options) == (list(modifiers), dict(options)):
        return
    now = timezone.now()
    if deal.stage <= game_of(deal).first_dealt:
        deal.announced_at = now
        return
    change = {
        "at": now.isoformat(),
        "step": deal.stage + 1,
        "modifiers": deal.modifiers,
        "options": deal.options,
    }
    deal.changes = [*deal.changes[: MOST_CHANGES - 1], change]


def keep_announcement(deal: Deal, hand: Hand) -> None:
    """Store the deal's announcement with its recorded hand."""
    Announcement.objects.create(
        hand=hand,
        variant=deal.variant,
        modifiers=deal.modifiers,
        options=deal.options,
        changes=deal.changes,
        announced_at=deal.announced_at or deal.made_at,
    )


def announcement_of(hand: Hand) -> Announcement | None:
    """Return the hand's announcement, or None if it was recorded without a live deal."""
    return Announcement.objects.filter(hand=hand).first()
