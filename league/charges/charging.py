"""Charge costs, side bets and other amounts outside of play to a night, and undo charges.

A charge is one posting between tabs. A charge to a closed night closes the night again, like a
correction, so that the payment plan includes the charge.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.closing.close import close_again, lift
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.common.locks import lock_league
from league.common.text import tidy, wrong_text
from league.hands.chip_movements import debts
from league.models import (
    LONGEST_REASON,
    MOST_CHIPS,
    Charge,
    ChargeShare,
    Closing,
    Hand,
    HandFact,
    Night,
    Player,
    Revision,
    Season,
    StaleMark,
    User,
)
from league.nights import accounts
from league.nights.accounts import PostingKey, actor_of
from league.nights.cash_box import store_cash_box, wrong_amount
from league.nights.nights import UNPLAYED, lock_and_bump
from league.stats.figures.records import best_hands
from league.stats.scopes import of_season
from ledger.balances import balances
from ledger.models import NewTransfer, Posting
from ledger.posting import post, reverse

KIND = Charge.Kind.SEASON_HIGH_HAND


def is_due(night: Night) -> bool:
    """Check whether the prize for the season's high hand should be charged to this night."""
    return high_hand_night(night.season) == night


def high_hand_night(season: Season) -> Night | None:
    """Return the night to charge the season's high hand to, or None if it is not due."""
    league = season.league
    if not (league.season_high_hand and league.fund_keeper_id) or season.ends_on is None:
        return None
    if season.ends_on > timezone.localdate(timezone=ZoneInfo(league.time_zone)):
        return None
    if charged(season) or StaleMark.objects.filter(league=league.pk).exists():
        return None
    nights = Night.objects.filter(season=season).exclude(UNPLAYED)
    nights = nights.select_related("season__league__book")
    return nights.order_by("-started_at", "-pk").first()


def charged(season: Season) -> bool:
    """Check whether the season's high hand has been charged and not undone."""
    rows = Charge.objects.filter(night__season=season, kind=KIND)
    return rows.filter(posting__reversal=None).exists()


def best_of_games(night: Night) -> Iterable[Revision]:
    """Return the season's hands that can be the best of their game, earliest first.

    The best hand of each game is the one shown in the season's records, unless it was run several
    times. If a game has several shares, the first share counts.
    """
    best = {each.hand: each.game for each in best_hands(of_season(night.season))}
    rows = Revision.objects.filter(current=True, hand__voided=False)
    several = rows.filter(hand__in=best, record__has_key="runs").values_list("hand", flat=True)
    hands = {*best}.union(*(_down_to_single_run(night.season, best[hand]) for hand in several))
    rows = rows.filter(hand__in=hands).select_related("hand", "document")
    return rows.order_by("hand__made_at", "hand")


def _down_to_single_run(season: Season, game: str) -> Iterator[UUID]:
    """Yield the game's hands, best first, down to the first one that was run once.

    Records count all runs, but a high hand only the first (docs/rulings.md 18). Later hands can't
    be better, because a first run is at most as good as all runs.
    """
    facts = HandFact.objects.filter(season=season, game=game, best__isnull=False)
    facts = facts.order_by("-best", "played_at", "pk")
    for hand, runs in facts.values_list("hand", "revision__record__runs").iterator():
        yield hand
        if runs is None:
            break


# A charge's transfers.


Nets = Mapping[UUID, int]  # chips gained by each player, negative for chips owed


def charge_transfers(
    season: UUID, nets: Nets, *, fund: int, keeper: UUID | None
) -> Iterator[NewTransfer]:
    """Yield the transfers between tabs, and between the fund and its keeper.

    The keeper receives the fund's money on the tab and owes the same amount to the fund.
    """
    owed = {str(player): chips for player, chips in nets.items()}
    if keeper is not None:
        owed[str(keeper)] = owed.get(str(keeper), 0) + fund
        keeps, fund_account = accounts.keeper(keeper), accounts.fund(season)
        payer, payee = (keeps, fund_account) if fund > 0 else (fund_account, keeps)
        yield NewTransfer(payer, payee, abs(fund))
    for payer_id, payee_id, chips in debts(owed):
        yield NewTransfer(accounts.tab(UUID(payer_id)), accounts.tab(UUID(payee_id)), chips)


MOST_SHARES = 100  # maximum number of players in a charge
WITH_FUND = {
    Charge.Kind.FUND,
    Charge.Kind.PRIZE,
    Charge.Kind.SEASON_HIGH_HAND,
    Charge.Kind.BAD_BEAT,
}
WITH_BOX = {Charge.Kind.STARTING_CASH, Charge.Kind.CASH_COUNT}


class Share(NamedTuple):
    """The chips that a player receives and owes, and the player's place in a tournament."""

    gets: int = 0
    owes: int = 0
    place: int | None = None

    @property
    def net(self) -> int:
        return self.gets - self.owes


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCharge:
    """A requested charge, with the fields of `Charge` and each player's share."""

    kind: str
    title: str = ""
    shares: Mapping[Player, Share] = field(default_factory=dict)
    hand: Hand | None = None
    fund: int = 0
    keeper: Player | None = None


@transaction.atomic
def charge(night: Night, new_charge: NewCharge, *, charge_id: UUID, by: User | None) -> Charge:
    """Create a charge in the night, once for each id. A closed night is closed again.

    Raises RefusedError with all problems, or IdReusedError.
    """
    state = lock_and_bump(night)
    if recorded := _charged_already(night, new_charge, charge_id):
        return recorded
    lifted = lift(night, by=by) if state == Night.State.CLOSED else None
    if new_charge.fund:
        lock_league(night.league.pk)  # against charges at other nights
    refuse([*wrong_charge(night, new_charge), *row_limits.CHARGES.exceeded(night.charges)])
    for player in new_charge.shares:
        store_cash_box(player)
    nets = {player.pk: share.net for player, share in new_charge.shares.items()}
    keeper = new_charge.keeper.pk if new_charge.keeper else None
    moves = tuple(charge_transfers(night.season_id, nets, fund=new_charge.fund, keeper=keeper))
    key, actor = PostingKey.CHARGE.of(charge_id), actor_of(by)
    posting = post(night.league.book, key, moves, memo=f"{new_charge.kind}", actor=actor)
    made = Charge.objects.create(
        id=charge_id,
        night=night,
        kind=new_charge.kind,
        title=tidy(new_charge.title),
        hand=new_charge.hand,
        fund=new_charge.fund,
        keeper=new_charge.keeper,
        posting=posting,
        made_by=by,
    )
    ChargeShare.objects.bulk_create(
        ChargeShare(charge=made, player=player, **share._asdict())
        for player, share in new_charge.shares.items()
    )
    _close(lifted, uuid5(charge_id, "closing"), by=by, reason=_("a charge was added"))
    return made


@transaction.atomic
def undo(done: Charge, *, by: User | None) -> None:
    """Undo a charge. The charge stays in the list. Undoing it twice changes nothing.

    Raises RefusedError if the fund or the cash box no longer has enough chips.
    """
    state = lock_and_bump(done.night)
    if Posting.objects.filter(reverses=done.posting).exists():
        return
    lifted = lift(done.night, by=by) if state == Night.State.CLOSED else None
    if done.fund:
        lock_league(done.night.league.pk)
    box = done.shares.filter(player__is_box=True).select_related("player__league").first()
    out_of_box = wrong_amount(box.player, -box.net, where="", planned=True) if box else ()
    refuse([*_wrong_fund(done.night, -done.fund), *out_of_box])
    reverse(done.posting, PostingKey.UNDO.of(done.pk), memo="a mistake", actor=actor_of(by))
    _close(lifted, uuid5(done.pk, "undone"), by=by, reason=_("a charge was undone"))


def fund_of(night: Night) -> int:
    """Return the number of chips in the season's fund."""
    key = accounts.fund(night.season_id).key
    return balances(night.league.book, keys=[key]).get(key, 0)


def _close(lifted: Closing | None, closing_id: UUID, *, by: User | None, reason: str) -> None:
    if lifted:
        close_again(lifted, closing_id, by=by, reason=reason)


def _charged_already(night: Night, new_charge: NewCharge, charge_id: UUID) -> Charge | None:
    """Return the charge with this id. Raises IdReusedError if it is a different charge."""
    existing = Charge.objects.filter(pk=charge_id).first()
    if existing is None:
        return None
    shares = {each.player_id: (each.gets, each.owes, each.place) for each in existing.shares.all()}
    wanted_shares = {player.pk: tuple(share) for player, share in new_charge.shares.items()}
    keeper, hand = (
        new_charge.keeper and new_charge.keeper.pk,
        new_charge.hand and new_charge.hand.pk,
    )
    was = (
        existing.night_id,
        existing.kind,
        existing.title,
        existing.hand_id,
        existing.fund,
        existing.keeper_id,
    )
    if (*was, shares) != (
        night.pk,
        new_charge.kind,
        tidy(new_charge.title),
        hand,
        new_charge.fund,
        keeper,
        wanted_shares,
    ):
        raise IdReusedError
    return existing


def wrong_charge(night: Night, new_charge: NewCharge) -> Iterator[Problem]:
    if new_charge.kind not in Charge.Kind.values:
        yield problem("kind", "bad-kind", f"this is {' or '.join(Charge.Kind.values)}")
    needed = new_charge.kind == Charge.Kind.COST
    yield from wrong_text("title", new_charge.title, longest=LONGEST_REASON, needed=needed)
    yield from _wrong_shares(night, new_charge)
    taken = sorted(share.place or 0 for share in new_charge.shares.values())
    if new_charge.kind != Charge.Kind.TOURNAMENT:
        if any(taken):
            yield problem("shares", "bad-place", "only a tournament has places")
    elif taken != list(range(1, len(taken) + 1)):
        yield problem(
            "shares",
            "bad-place",
            "each place must have exactly one player, starting with the first",
        )
    yield from _wrong_box(new_charge)
    yield from _wrong_hand(night, new_charge)
    if bool(new_charge.fund) != (new_charge.keeper is not None):
        text = "a charge has both chips of the fund and a keeper, or neither"
        yield problem("keeper", "no-keeper", text)
    elif new_charge.fund and new_charge.kind not in WITH_FUND:
        yield problem("fund", "bad-fund", "a charge of this kind can't change the fund")
    if new_charge.keeper is not None and new_charge.keeper.league_id != night.season.league_id:
        yield problem("keeper", "unknown-player", "the league has no such player")
    yield from _wrong_fund(night, new_charge.fund)


def _wrong_hand(night: Night, new_charge: NewCharge) -> Iterator[Problem]:
    of_season = new_charge.kind == Charge.Kind.SEASON_HIGH_HAND
    if of_season and charged(night.season):
        yield problem("kind", "charged-already", "the season's high hand has already been charged")
    if new_charge.hand is None:
        return
    if of_season:
        if new_charge.hand.night.season_id != night.season_id:
            yield problem("hand", "unknown-hand", "the season has no such hand")
    elif new_charge.hand.night_id != night.pk:
        yield problem("hand", "unknown-hand", "the night has no such hand")


def _wrong_shares(night: Night, new_charge: NewCharge) -> Iterator[Problem]:
    if not 1 <= len(new_charge.shares) <= MOST_SHARES:
        text = f"enter one to {MOST_SHARES} people who owe or get chips"
        yield problem("shares", "bad-shares", text)
    numbers = [chips for each in new_charge.shares.values() for chips in (each.gets, each.owes)]
    if any(type(each) is not int or not 0 <= each <= MOST_CHIPS for each in numbers):
        text = f"these must be whole numbers from 0 to {MOST_CHIPS}"
        yield problem("shares", "bad-chips", text)
        return
    # A tournament may move no chips: all players may get their entries back.
    moves = new_charge.fund or any(share.net for share in new_charge.shares.values())
    if not all(share.gets or share.owes for share in new_charge.shares.values()):
        yield problem("shares", "bad-chips", "each person must owe or get chips")
    elif new_charge.shares and not (moves or new_charge.kind == Charge.Kind.TOURNAMENT):
        yield problem("shares", "bad-chips", "nobody would pay or get anything")
    for player in new_charge.shares:
        if player.league_id != night.season.league_id:
            yield problem("shares", "unknown-player", "the league has no such player")
            break
    gets = sum(share.gets for share in new_charge.shares.values()) + new_charge.fund
    owes = sum(share.owes for share in new_charge.shares.values())
    if gets != owes:
        text = f"{owes:,} chips are owed, but {gets:,} chips are paid out"
        yield problem("shares", "does-not-add-up", text)


def _wrong_box(new_charge: NewCharge) -> Iterator[Problem]:
    """Check that cash goes into or out of the cash box only in charges for this purpose."""
    boxes = [player for player in new_charge.shares if player.is_box]
    if bool(boxes) != (new_charge.kind in WITH_BOX):
        yield problem("shares", "bad-box", "only starting cash and a count change the cash box")
        return
    for box in boxes:
        chips = new_charge.shares[box].net
        if chips > 0 and new_charge.kind == Charge.Kind.STARTING_CASH:
            yield problem("shares", "bad-box", "starting cash goes into the cash box")
        yield from wrong_amount(box, chips, where="shares", planned=True)


def _wrong_fund(night: Night, chips: int) -> Iterator[Problem]:
    if chips < 0 and (has := fund_of(night)) < -chips:
        yield problem("fund", "fund-short", f"the fund has {has:,} chips")


# Players share a cost evenly, or in proportion to their parts. The first players get the odd chips.


Who = TypeVar("Who")


def by_parts(chips: int, parts: Mapping[Who, int]) -> dict[Who, int]:
    """Split the chips in proportion to each player's parts. The shares add up to `chips`.

    Each share is rounded down. The players with the largest remainders get one more chip each. If
    remainders tie, the player listed first gets the chip.
    """
    all_parts = sum(parts.values())
    if not all_parts:
        return {}
    owes = {who: chips * part // all_parts for who, part in parts.items()}
    rests: Sequence[Who] = sorted(
        (who for who, part in parts.items() if part),
        key=lambda who: -(chips * parts[who] % all_parts),
    )
    for who in rests[: chips - sum(owes.values())]:
        owes[who] += 1
    return {who: owed for who, owed in owes.items() if owed}
