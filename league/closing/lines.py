"""What a closing says of each player: bought, counted, won, and what is to be settled."""

from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import QuerySet, Sum

from league.closing.carried_pots import handed_on, read_pots, shares
from league.closing.chip_count import Tally
from league.common.split_evenly import evenly
from league.hands.chip_movements import moved
from league.models import BuyIn, CashOut, Charge, ChargeShare, Closing, Line, Night
from league.nights.nights import hands


def lines_of(closing: Closing, tally: Tally, bears: Sequence[UUID]) -> Iterator[Line]:
    """Yield the lines: of who sat, and of whom cash or a charge has touched.

    `bears` are the players who bear what the count lacks, in the order in which odd chips go.
    """
    night = closing.night
    bought, cashed = _sums(BuyIn, night, "player"), _sums(CashOut, night, "player")
    cash, charged, right = _cash(night), _charged(night), _put_right(night)
    entered, prizes = _tournaments(night)
    kept = shares([*read_pots(closing.kept), *handed_on(night)])
    kept.subtract(shares(read_pots(night.opening_pots)))
    borne: dict[UUID, int] = {}
    if tally.missing:
        borne = evenly(tally.missing, list(dict.fromkeys(bears)))
    sat = {line.player: line for line in tally.lines}
    for player in dict.fromkeys([*sat, *cash, *charged, *entered, *kept]):
        line = Line(closing=closing, player_id=player, position=0)
        if found := sat.get(player):
            line.position, line.stack, line.back = found.position, found.stack, found.back
            line.counted = found.counted
        line.bought, line.cashed = bought[player], cashed[player]
        line.put_right, line.bears = right[player], borne.get(player, 0)
        line.entered, line.prizes = entered[player], prizes[player]
        line.cash, line.charged = cash[player], charged[player]
        line.settles = line.tab + kept[player]
        yield line


def _sums(rows: type[BuyIn] | type[CashOut], night: Night, by: str) -> Counter[UUID]:
    found = rows.objects.filter(night=night, posting__reversal=None).exclude(**{by: None})
    return Counter(dict(found.values_list(by).annotate(chips=Sum("chips")).order_by()))


def _cash(night: Night) -> Counter[UUID]:
    """Return what cash did to the tabs: chips bought for it were paid for, by the banker's tab."""
    cash: Counter[UUID] = Counter()
    for rows, sign in ((BuyIn, 1), (CashOut, -1)):
        handled = rows.objects.filter(night=night, posting__reversal=None).exclude(banker=None)
        for player, banker, chips in handled.values_list("player", "banker", "chips"):
            cash[player] += sign * chips
            cash[banker] -= sign * chips
    return cash


def _charged(night: Night) -> Counter[UUID]:
    """Return what costs, side bets and the fund did to the tabs; who keeps the fund gets its money.

    Somebody whose shares even out stands there, too.
    """
    charged: Counter[UUID] = Counter()
    shares = _shares_of_charges(night).exclude(charge__kind=Charge.Kind.TOURNAMENT)
    for player, gets, owes in shares.values_list("player", "gets", "owes"):
        charged[player] += gets - owes
    kept = Charge.objects.filter(night=night, posting__reversal=None).exclude(keeper=None)
    for keeper, chips in kept.values_list("keeper", "fund"):
        charged[keeper] += chips
    return charged


def _tournaments(night: Night) -> tuple[Counter[UUID], Counter[UUID]]:
    """Return by player what was paid for tournaments, and what was won there."""
    entered: Counter[UUID] = Counter()
    prizes: Counter[UUID] = Counter()
    shares = _shares_of_charges(night).filter(charge__kind=Charge.Kind.TOURNAMENT)
    for player, gets, owes in shares.values_list("player", "gets", "owes"):
        entered[player] += owes
        prizes[player] += gets
    return entered, prizes


def _shares_of_charges(night: Night) -> QuerySet[ChargeShare]:
    return ChargeShare.objects.filter(charge__night=night, charge__posting__reversal=None)


def _put_right(night: Night) -> Counter[UUID]:
    """Return what the hands moved between tabs: what the rules give beyond the table's word."""
    right: Counter[UUID] = Counter()
    for revision in hands(night).filter(hand__voided=False):
        for name, chips in moved(revision.record, revision.answer).owed.items():
            right[UUID(revision.names[name])] += chips
    return right
