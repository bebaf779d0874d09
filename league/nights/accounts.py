"""The keys of accounts and postings in a league's book, and readable names of accounts.

The kinds of accounts:

* tab: the chips that the table owes a player
* stack: a player's chips in a night
* pot: the chips in a hand's pot
* carry: a night's unclaimed pots
* drift: a night's chips that the hands don't explain
* fund: a season's fund
* keeper: the fund's money that a player holds
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from league.models import Hand, League, Night, Player, Season, User
from ledger.models import AccountRef

MOST_KNOWN = 4096  # cached, because a lookup is faster than formatting an id


@lru_cache(MOST_KNOWN)
def tab(player: UUID) -> AccountRef:
    return AccountRef(f"tab:{player}", "tab")


def player_of_tab(key: str) -> UUID | None:
    """Return the player whose tab has this key, or None if the key is a different account's."""
    kind, _, player = key.partition(":")
    return UUID(player) if kind == "tab" else None


@lru_cache(MOST_KNOWN)
def stack(night: UUID, player: UUID) -> AccountRef:
    return AccountRef(f"stack:{night}:{player}", "stack")


def pot(hand: UUID) -> AccountRef:
    return AccountRef(f"pot:{hand}", "pot")


@lru_cache(MOST_KNOWN)
def carry(night: UUID) -> AccountRef:
    return AccountRef(f"carry:{night}", "carry")


@lru_cache(MOST_KNOWN)
def drift(night: UUID) -> AccountRef:
    return AccountRef(f"drift:{night}", "drift")


def fund(season: UUID) -> AccountRef:
    return AccountRef(f"fund:{season}", "fund")


def keeper(player: UUID) -> AccountRef:
    return AccountRef(f"keeper:{player}", "keeper")


# --- keys and actors of postings ----------------------------------------------------------------


class PostingKey(StrEnum):
    """The kind of a posting. A posting's key consists of its kind and the id of its row.

    A key is unique in its book, so a request that is sent twice is posted once. Keys are permanent,
    and their digests are sealed in journals, so the values can't change.
    """

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    CHARGE = "charge"
    UNDO = "undo"  # undoes a buy-in, a cash-out or a charge
    HAND = "hand"  # posts a revision of a hand
    HAND_BACK = "back"  # reverses a revision after the hand was corrected or voided
    CARRY = "carry"  # adjusts the carry after an earlier hand was corrected
    CARRY_ON = "carry-on"  # takes over pots from earlier nights
    CLOSE = "close"
    REOPEN = "open"  # undoes the closing
    PAYMENT = "payment"
    PAYMENT_BACK = "unpaid"

    @property
    def prefix(self) -> str:
        return f"{self}:"

    def of(self, row_id: UUID) -> str:
        """Return the key of the posting for this row."""
        return f"{self}:{row_id}"


def actor_of(user: User | None) -> str:
    """Return the user as the actor of a posting, or "".

    The actor contains the user's id and not the name, because postings are permanent.
    """
    return f"user:{user.pk}" if user else ""


# --- readable names of accounts, from the current names of players, nights and seasons ----------

WORDS: dict[str, Callable[..., str]] = {
    "tab": "{player}'s tab".format,
    "stack": "{player}'s stack, {night}".format,
    "pot": "the pot of {hand}".format,
    "carry": "the carried pots of {night}".format,
    "drift": "the unexplained chips of {night}".format,
    "fund": "the fund of {season}".format,
    "keeper": "the part of the fund that {player} holds".format,
}
PARTS = {
    "tab": ("player",),
    "stack": ("night", "player"),
    "pot": ("hand",),
    "carry": ("night",),
    "drift": ("night",),
    "fund": ("season",),
    "keeper": ("player",),
}
KINDS = tuple(PARTS)


def names_of_accounts(league: League, keys: Iterable[str]) -> dict[str, str]:
    """Return a readable name for each account key, or the key itself if its row is unknown.

    This takes one query each for players, nights, hands and seasons.
    """
    parts: dict[str, dict[str, str]] = {}
    for key in keys:
        kind, *ids = key.split(":")
        columns = PARTS.get(kind, ())
        parts[key] = dict(zip(columns, ids, strict=True)) if len(ids) == len(columns) else {}
    of_league: dict[str, tuple[QuerySet[Any], str, tuple[str, ...]]] = {
        "player": (Player.with_box.filter(league=league), "{}", ("name",)),
        "season": (Season.objects.filter(league=league), "{}", ("name",)),
        "night": (
            Night.objects.filter(season__league=league),
            "night {} of {}",
            ("number", "season__name"),
        ),
        "hand": (
            Hand.objects.filter(night__season__league=league),
            "hand {}, night {} of {}",
            ("number", "night__number", "night__season__name"),
        ),
    }
    names: dict[str, dict[str, str]] = {}
    for kind, (rows, text, columns) in of_league.items():
        wanted = {part[kind] for part in parts.values() if kind in part}
        found = rows.filter(pk__in=wanted).values_list("pk", *columns) if wanted else ()
        names[kind] = {str(pk): text.format(*values) for pk, *values in found}
    named = {}
    for key, part in parts.items():
        words = {kind: names[kind].get(each) for kind, each in part.items()}
        is_known = words and None not in words.values()
        named[key] = WORDS[key.partition(":")[0]](**words) if is_known else key
    return named
