"""What a night's page says: the stacks as they stand, the hands as they were dealt."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from league import nights
from league.models import BuyIn, CashOut, Night, Revision, Seat
from league.models import Line as SealedLine
from league.money import shown
from league.pages.verdict import headline


@dataclass(frozen=True, slots=True)
class Stack:
    """A player's chips, and what the night has brought so far."""

    name: str
    chips: int
    net: int
    worth: str
    deals: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A hand in the list of the night: its game, what it moved, and whether something is odd."""

    id: UUID
    number: int
    game: str
    modifiers: list[str]
    headline: str
    moves: list[tuple[str, int]]
    findings: int
    revised: bool
    voided: bool
    result_only: bool


def stacks(night: Night) -> list[Stack]:
    """Return who has had a seat, in seat order, with what stands or stood before each."""
    if night.state == Night.State.CLOSED:
        return _in_the_end(night)
    chips, dealer = nights.stacks(night), nights.dealer(night)
    bought = _bought(night)
    seats = Seat.objects.filter(night=night).select_related("player").order_by("position")
    return [
        Stack(
            name=seat.player.name,
            chips=chips.get(seat.player_id, 0),
            net=(net := chips.get(seat.player_id, 0) - bought[seat.player_id]),
            worth=_worth(net, night),
            deals=dealer is not None and dealer.pk == seat.pk,
            gone=seat.left_at is not None,
        )
        for seat in seats
    ]


def lines(night: Night) -> list[Line]:
    """Return the hands of the night, newest first; one query."""
    return [line(revision) for revision in reversed(nights.hands(night))]


def line(revision: Revision) -> Line:
    """Return a hand's line, as its current revision tells it."""
    return Line(
        id=revision.hand_id,
        number=revision.hand.number,
        game=revision.document.name,
        modifiers=list(revision.record.get("modifiers", ())),
        headline=headline(revision.answer),
        moves=list(_moves(revision)),
        findings=len(revision.answer.get("findings", ())),
        revised=revision.number > 1,
        voided=revision.hand.voided,
        result_only=revision.depth == Revision.Depth.RESULT,
    )


def _moves(revision: Revision) -> Iterator[tuple[str, int]]:
    net = revision.answer["net"].items()
    return ((name, chips) for name, chips in sorted(net, key=lambda each: -each[1]) if chips)


def _in_the_end(night: Night) -> list[Stack]:
    """Return what everybody had and won when the night was closed."""
    closed = SealedLine.objects.filter(closing__night=night, closing__posting__reversal=None)
    ended = closed.exclude(position=0).select_related("player").order_by("position")
    return [
        Stack(each.player.name, each.chips + each.cashed, each.net, _worth(each.net, night))
        for each in ended
    ]


def _worth(chips: int, night: Night) -> str:
    return shown(chips * night.chip_value, night.league.currency)


def _bought(night: Night) -> Counter[UUID]:
    """Return the chips bought, less those given back over the counter; one query."""
    bought = BuyIn.objects.filter(night=night).values_list("player", "chips")
    back = CashOut.objects.filter(night=night).values_list("player", -F("chips"))
    chips: Counter[UUID] = Counter()
    for player, number in bought.union(back, all=True):
        chips[player] += number
    return chips
