"""Pots that are unclaimed when a night ends, and the later nights that they move to."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.common.money import evenly
from league.models import Closing, League, Night, Revision
from league.nights import accounts
from league.nights.accounts import PostingKey
from ledger.balances import balances
from ledger.models import NewTransfer
from ledger.posting import post


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that some players may still win.

    If the pot is split among `players`, the first players get the odd chips.
    """

    amount: int
    players: tuple[UUID, ...]

    def as_json(self) -> dict[str, Any]:
        return {"amount": self.amount, "for": [str(player) for player in self.players]}


def read_pots(stored: Iterable[Mapping[str, Any]]) -> list[Pot]:
    """Return pots from their JSON form."""
    return [Pot(each["amount"], tuple(UUID(one) for one in each["for"])) for each in stored]


def shares(pots: Iterable[Pot]) -> Counter[UUID]:
    """Return the chips that each player gets if the pots are returned."""
    parts: Counter[UUID] = Counter()
    for pot in pots:
        parts.update(evenly(pot.amount, pot.players))
    return parts


def pots_left(night: Night, seated: Sequence[UUID]) -> list[Pot]:
    """Return the pots that make up the night's carry.

    These are the pots left by the last hand that left any, or else the pots that the night opened
    with. If their total differs from the carry, return the whole carry as one pot for all their
    players.
    """
    key = accounts.carry(night.pk).key
    chips = balances(night.league.book, keys=[key]).get(key, 0)
    if chips <= 0:
        return []
    rows = Revision.objects.filter(hand__night=night, hand__voided=False, current=True, carry__gt=0)
    revision = rows.order_by("-hand__number").first()
    pots = []
    if revision:
        names = {name: UUID(player) for name, player in revision.names.items()}
        pots = pots_of_hand(revision.record, revision.answer, names)
    pots = pots or read_pots(night.opening_pots) or [Pot(chips, tuple(seated))]
    return fitted(pots, chips)


def handed_on(night: Night) -> list[Pot]:
    """Return the night's pots that later nights opened with."""
    later = Night.objects.filter(season__league=night.league).exclude(opening_pots=[])
    stored = [pot for pots in later.values_list("opening_pots", flat=True) for pot in pots]
    return read_pots(pot for pot in stored if pot["from"] == str(night.pk))


def hand_on(league: League, night: Night) -> None:
    """Move pots that other nights kept to `night`, which is about to open, unless imported."""
    if night.imported:
        return
    rows = Closing.objects.filter(league=league, posting__reversal=None).exclude(kept=[])
    closings = {
        accounts.carry(closing.night_id).key: closing for closing in rows.order_by("sequence")
    }
    left = balances(league.book, keys=tuple(closings), nonzero=True)
    waiting = [(closing, left[key]) for key, closing in closings.items() if key in left]
    if not waiting:
        return
    to = accounts.carry(night.pk)
    moves = [NewTransfer(accounts.carry(closing.night_id), to, chips) for closing, chips in waiting]
    post(league.book, PostingKey.CARRY_ON.of(night.pk), moves, memo="pots kept from nights before")
    night.opening_pots = [
        pot.as_json() | {"from": str(closing.night_id)}
        for closing, chips in waiting
        for pot in fitted(read_pots(closing.kept), chips)
    ]


def fitted(pots: list[Pot], chips: int) -> list[Pot]:
    """Return the pots if they add up to `chips`, or else a single pot for all their players."""
    if sum(pot.amount for pot in pots) == chips:
        return pots
    everybody = dict.fromkeys(player for pot in pots for player in pot.players)
    return [Pot(chips, tuple(everybody))] if everybody else []


def pots_of_hand(
    record: Mapping[str, Any], answer: Mapping[str, Any], names: Mapping[str, UUID]
) -> list[Pot]:
    """Return the pots that a hand carries over."""
    order = [each["name"] for each in record["players"]]
    left = record["button"] + 1
    order = order[left:] + order[:left]  # odd chips go to the first players left of the dealer
    return [
        Pot(each["amount"], tuple(names[name] for name in order if name in each["for"]))
        for each in answer["carries"]
    ]
