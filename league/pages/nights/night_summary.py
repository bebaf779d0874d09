"""What a night's page says: the stacks as they stand, the hands as they were dealt."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q, Value
from django.utils import timezone

from league.charges.side_bets import SideBet, waiting_bets
from league.common.money import worth
from league.deals.table import dealer_after
from league.games.titles import variations
from league.hands.chip_movements import chip_totals
from league.hands.writing import record_at_the_end
from league.matches.matches import Standing, standing
from league.models import BuyIn, CashOut, Charge, ChargeShare, Hand, Night, Revision, Seat
from league.models import ClosingLine as SealedLine
from league.nights import nights
from league.pages.nights.chip_requests import Rebuy
from league.pages.parts.answer_view import Count, View, counts, headline, view, won_with
from league.pages.parts.visitor import table_name


@dataclass(frozen=True, slots=True)
class Misdealt:
    """What the rules give a player beyond what the table pushed, and the last hand of it."""

    chips: int
    hand: UUID
    number: int


@dataclass(frozen=True, slots=True)
class Stack:
    """A player's chips, and what the night has brought so far; `user` is who signs in as them.

    The net is what would be paid: chips less those bought, put right by `misdealt` pots, and at a
    closed night by the count; `counted` is the line of its closing.
    """

    player: UUID
    name: str
    chips: int
    net: int
    worth: str
    deals: bool = False
    gone: bool = False
    user: int | None = None
    misdealt: Misdealt | None = None
    counted: SealedLine | None = None
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
    won_with: list[str]
    findings: int
    revised: bool
    voided: bool
    result_only: bool
    full: bool
    revision: Revision


def stacks(
    night: Night, seats: Sequence[Seat], hands: Sequence[Line], match: Standing | None = None
) -> list[Stack]:
    """Return who has had one of the seats, in their order, with what stands or stood before each.

    Who deals next is as the match has it that the night is in the middle of. Hands come newest
    first.
    """
    if night.state == Night.State.CLOSED:
        return _in_the_end(night)
    last = next((hand.revision for hand in hands if not hand.voided), None)
    dealer = dealer_after(last, seats, match)
    chips = nights.stacks(night, [seat.player_id for seat in seats])
    bought, misdealt = _bought(night), _misdealt(hands)
    return [
        _stack(
            night,
            seat,
            chips.get(seat.player_id, 0),
            bought[seat.player_id],
            misdealt.get(seat.player_id),
            deals=dealer is not None and dealer.pk == seat.pk,
        )
        for seat in seats
    ]


def _stack(
    night: Night, seat: Seat, chips: int, bought: int, misdealt: Misdealt | None, *, deals: bool
) -> Stack:
    net = chips - bought + (misdealt.chips if misdealt else 0)
    return Stack(
        player=seat.player_id,
        name=seat.player.name,
        chips=chips,
        net=net,
        worth=worth(net, night),
        deals=deals,
        gone=seat.left_at is not None,
        user=seat.player.user_id,
        misdealt=misdealt,
    )


def _misdealt(hands: Iterable[Line]) -> dict[UUID, Misdealt]:
    """Return who got more or less of the pots than the rules give; hands come newest first."""
    found: dict[UUID, Misdealt] = {}
    for hand in hands:
        revision = hand.revision
        owed = {} if hand.voided else chip_totals(revision.record, revision.answer).owed
        for name, chips in owed.items():
            if chips:
                player = UUID(revision.names[name])
                last = found.get(player) or Misdealt(0, hand.id, hand.number)
                found[player] = replace(last, chips=last.chips + chips)
    return {player: each for player, each in found.items() if each.chips}


def counter(night: Night) -> list[BuyIn | CashOut]:
    """Return what was bought and cashed in, the last first; `undone` tells what was a mistake."""
    rows: list[BuyIn | CashOut] = []
    for kind in (BuyIn, CashOut):
        found = kind.objects.filter(night=night).select_related("player", "banker")
        rows += found.annotate(
            undone=Q(posting__reversal__isnull=False),
            sold=Value(kind is BuyIn),
            recorded_by=table_name(night.league.pk, "made_by"),
        )
    return sorted(rows, key=lambda each: each.made_at, reverse=True)


def lines(night: Night) -> list[Line]:
    """Return the hands of the night, newest first; one query."""
    return [line(revision) for revision in reversed(nights.hands(night).defer(nights.DOCUMENT))]


def line(revision: Revision) -> Line:
    """Return a hand's line, as its current revision tells it."""
    return Line(
        id=revision.hand_id,
        number=revision.hand.number,
        game=revision.document.name,
        modifiers=variations(revision.record.get("modifiers", ())),
        headline=headline(revision.answer),
        moves=list(_moves(revision)),
        won_with=won_with(revision.answer),
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
            counted=each,
        )
        for each in ended
    ]


def _bought(night: Night) -> Counter[UUID]:
    """Return the chips bought and paid for tournaments, less those given back over the counter or
    won there; one query."""
    stands = {"night": night, "posting__reversal": None}
    bought = BuyIn.objects.filter(**stands).values_list("player", "chips")
    back = CashOut.objects.filter(**stands).values_list("player", -F("chips"))
    charged = {"charge__night": night, "charge__posting__reversal": None}
    entered = ChargeShare.objects.filter(**charged, charge__kind=Charge.Kind.TOURNAMENT)
    cost = entered.values_list("player", F("owes") - F("gets"))
    chips: Counter[UUID] = Counter()
    for player, number in bought.union(back, cost, all=True):
        chips[player] += number
    return chips


# The verdict of the hand that was just saved, on every phone of the night, for a while.


SHOWN_FOR = timedelta(minutes=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestVerdict:
    """`own` are the chips that whoever looks has won or lost; None for who was not dealt in."""

    night: Night
    hand: Hand
    line: Line
    verdict: View
    own: int | None

    @property
    def bets(self) -> list[SideBet]:
        """Side bets that the hand has won; asked for only where they may be charged."""
        return waiting_bets(self.night, self.line.revision)


def latest_verdict(night: Night, hands: Sequence[Line], mine: Stack | None) -> LatestVerdict | None:
    """Return the night's newest hand with its verdict; None once it is a while ago."""
    if not hands or hands[0].voided or night.state != Night.State.OPEN:
        return None
    line = hands[0]
    revision = line.revision
    if timezone.now() - revision.made_at > SHOWN_FOR:
        return None
    names = {str(player): name for name, player in revision.names.items()}
    name = names.get(str(mine.player)) if mine else None
    return LatestVerdict(
        night=night,
        hand=revision.hand,
        line=line,
        verdict=view(record_at_the_end(revision), revision.answer),
        own=revision.answer["net"].get(name) if name else None,
    )


# The match of a night as its page shows it: running, with the next deal, or just won.


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMatch:
    """The match after its last deal; `next` is the number of the deal to come, 0 when it is over.

    `game` can be named by its slug, unless a record brought it along.
    """

    game: str
    variant: str
    deal: int
    next: int
    counts: list[Count]
    carried: int
    dealer: str
    winners: list[str]


def match_of_night(night: Night, hands: Sequence[Line]) -> Standing | None:
    """Return the match whose deal the night's last hand is; hands come newest first."""
    if night.state != Night.State.OPEN:
        return None
    return standing([line.revision for line in reversed(hands)])


def running_match(match: Standing | None, hands: Sequence[Line]) -> RunningMatch | None:
    """Return what the page says of it; nothing of one that ended with its pot, as any hand does."""
    if match is None or (match.over and not match.winners):
        return None
    last = next(line for line in hands if line.id == match.hand)
    return RunningMatch(
        game=last.game,
        variant=match.variant if isinstance(match.variant, str) else "",
        deal=match.deal,
        next=match.next["match"]["deal"] if match.next else 0,
        counts=list(counts({"legs": match.legs, "lives": match.lives})),
        carried=match.carried,
        dealer=match.dealer,
        winners=match.winners,
    )
