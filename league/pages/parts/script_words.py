"""The words that the scripts of the sheet under the thumb say: deck and keypad."""

from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext as _

from league.pages.parts.answer_view import RANK_NAMES, SUIT_NAMES


def words() -> dict[str, Any]:
    """Return names of cards and keys, and where the icons lie."""
    return {
        "icons": static("league/icons.svg"),
        "ranks": {rank: str(name) for rank, name in RANK_NAMES.items()},
        "suits": {suit: str(name) for suit, name in SUIT_NAMES.items()},
        "card": _("{rank} of {suit}"),
        "joker": _("joker"),
        "unseen": _("a card nobody saw"),
        "empty": _("empty"),
        "erase": _("take back"),
        "keys": _("type the cards"),
        "check": _("next"),
        "type": _("Cards, as AsKd7c"),
        "clear": _("C"),
        "toss": _("add"),
        "same": _("{chips}, as by the hands"),
        "next": _("Next"),
        "hand": _("Hand {number}"),
        "deals": _("{name} deals"),
        "declares": _("{name} declares"),
        "pot": _("Pot {pot}"),
        "taken": _("Pot {pot} · taken {took}"),
        "fates": {
            "folded": _("Fold"),
            "late": _("Fold late"),
            "mucked": _("Muck"),
            "all-in": _("All in"),
        },
    }
