"""The accounts that a league keeps in its book.

tab: what the table owes a player. stack: the chips before a player at a night. pot: of one hand.
carry: pots of the night that nobody has won yet. drift: chips that the hands don't explain.
fund: what a season has put aside. keeper: what a player keeps of that, as money.
"""

from functools import lru_cache
from uuid import UUID

from ledger.posting import AccountRef

MOST_KNOWN = 4096  # as text an id costs more than to find it again


@lru_cache(MOST_KNOWN)
def tab(player: UUID) -> AccountRef:
    return AccountRef(f"tab:{player}", "tab")


def player_of_tab(key: str) -> UUID | None:
    """Return whose tab the account of this key is; None where it is another account."""
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
