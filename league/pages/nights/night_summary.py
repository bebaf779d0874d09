"""What a night's page says: the stacks as they stand, the hands as they were dealt."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, Value

from league.common.money import worth
from league.games.titles import variations
from league.models import BuyIn, CashOut, Night, Revision, Seat
from league.models import Line as SealedLine
from league.nights import nights
from league.pages.nights.rebuys import Rebuy
from league.pages.parts.answer_view import headline


@dataclass(frozen=True, slots=True)
class Stack:
    """A player's chips, and what the night has brought so far; `user` is who signs in as them."""

    player: UUID
    name: str
    chips: int
    net: int
    worth: str
    deals: bool = False
    gone: bool = False
    user: int | None = None
    rebuy: Rebuy | None = None


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
    full: bool
    revision: Revision


def stacks(night: Night) -> list[Stack]:
    """Return who has had a seat, in seat order, with what stands or stood before each."""
    if night.state == Night.State.CLOSED:
        return _in_the_end(night)
    chips, dealer = nights.stacks(night), nights.dealer(night)
    bought = _bought(night)
    seats = Seat.objects.filter(night=night).select_related("player").order_by("position")
    return [
        Stack(
            player=seat.player_id,
            name=seat.player.name,
            chips=chips.get(seat.player_id, 0),
            net=(net := chips.get(seat.player_id, 0) - bought[seat.player_id]),
            worth=worth(net, night),
            deals=dealer is not None and dealer.pk == seat.pk,
            gone=seat.left_at is not None,
            user=seat.player.user_id,
        )
        for seat in seats
    ]


def counter(night: Night) -> list[BuyIn | CashOut]:
    """Return what was bought and cashed in, the last first; `undone` tells what was a mistake."""
    rows: list[BuyIn | CashOut] = []
    for kind in (BuyIn, CashOut):
        told = kind.objects.filter(night=night).select_related("player", "banker", "made_by")
        rows += told.annotate(undone=Q(posting__reversal__isnull=False), sold=Value(kind is BuyIn))
    return sorted(rows, key=lambda each: each.made_at, reverse=True)


def lines(night: Night) -> list[Line]:
    """Return the hands of the night, newest first; one query."""
    return [line(revision) for revision in reversed(nights.hands(night))]


def line(revision: Revision) -> Line:
    """Return a hand's line, as its current revision tells it."""
    return Line(
        id=revision.hand_id,
        number=revision.hand.number,
        game=revision.document.name,
        modifiers=variations(revision.record.get("modifiers", ())),
        headline=headline(revision.answer),
        moves=list(_moves(revision)),
        findings=len(revision.answer.get("findings", ())),
        revised=revision.number > 1,
        voided=revision.hand.voided,
        result_only=revision.depth == Revision.Depth.RESULT,
        full=revision.depth == Revision.Depth.FULL,
        revision=revision,
    )


def _moves(revision: Revision) -> Iterator[tuple[str, int]]:
    net = revision.answer["net"].items()
    return ((name, chips) for name, chips in sorted(net, key=lambda each: -each[1]) if chips)


def _in_the_end(night: Night) -> list[Stack]:
    """Return what everybody had and won when the night was closed."""
    closed = SealedLine.objects.filter(closing__night=night, closing__posting__reversal=None)
    ended = closed.exclude(position=0).select_related("player").order_by("position")
    return [
        Stack(
            player=each.player_id,
            name=each.player.name,
            chips=each.chips + each.cashed,
            net=each.net,
            worth=worth(each.net, night),
        )
        for each in ended
    ]


def _bought(night: Night) -> Counter[UUID]:
    """Return the chips bought, less those given back over the counter; one query."""
    stands = {"night": night, "posting__reversal": None}
    bought = BuyIn.objects.filter(**stands).values_list("player", "chips")
    back = CashOut.objects.filter(**stands).values_list("player", -F("chips"))
    chips: Counter[UUID] = Counter()
    for player, number in bought.union(back, all=True):
        chips[player] += number
    return chips
