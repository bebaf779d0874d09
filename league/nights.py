"""A night: open it, seat people, sell them chips, know what stands before whom.

A buy-in is one posting, tab to stack; stacks and the carry are read from the ledger, never kept.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from league import accounts, work
from league.leagues import add_player, add_season, latest_season, wrong_chips
from league.leftovers import hand_on
from league.models import (
    BuyIn,
    League,
    Night,
    Player,
    Revision,
    Season,
    Seat,
    User,
)
from league.pulse import move_on
from league.refusals import Fault, KeyReused, NightClosed, Refused, fault, refuse
from league.texts import tidy, wrong_text
from ledger.balances import balances
from ledger.posting import Move, post

USUAL_BUY_IN = 100


@transaction.atomic
def open_night(
    league: League,
    *,
    night_id: UUID | None = None,
    name: str = "",
    usual_buy_in: int = USUAL_BUY_IN,
    players: Iterable[Player] = (),
    started_at: datetime | None = None,
) -> Night:
    """Open a night in the season that goes on, with these players seated in this order.

    It starts now unless told, and once for each id where one is given. Raises Refused, KeyReused.
    """
    refuse([*wrong_text("name", name, needed=False), *wrong_chips("usual_buy_in", usual_buy_in)])
    season = _lock_season(_season(league))
    league = season.league
    if night_id and (found := _opened_already(league, night_id, tidy(name), usual_buy_in)):
        return found
    night = Night.objects.create(
        id=night_id or uuid4(),
        season=season,
        number=_last(season.nights.aggregate(last=Max("number"))) + 1,
        name=tidy(name),
        chip_value=league.chip_value,
        currency=league.currency,
        usual_buy_in=usual_buy_in,
        started_at=started_at or timezone.now(),
    )
    work.mark_closing(night, after=night.started_at)
    hand_on(league, night)
    for player in players:
        seat(night, player)
    return night


@transaction.atomic
def start_night(
    league: League,
    night_id: UUID,
    sitting: Iterable[tuple[Player, int]],
    *,
    by: User | None,
    name: str = "",
    usual_buy_in: int = USUAL_BUY_IN,
) -> Night:
    """Open a night with these players seated, each with chips bought on the tab or none.

    Once for each id. Raises Refused, KeyReused.
    """
    sat = list(sitting)
    players = [player for player, _ in sat]
    night = open_night(
        league, night_id=night_id, name=name, usual_buy_in=usual_buy_in, players=players
    )
    for player, chips in sat:
        if chips:
            buy_in(night, player, chips, buy_in_id=uuid5(night_id, str(player.pk)), by=by)
    return night


@transaction.atomic
def seat(night: Night, player: Player) -> Seat:
    """Seat the player, on the last seat; one who comes back gets the old seat if it is free.

    Raises Refused (a player of another league), NightClosed.
    """
    lock_open_night(night)
    if player.league_id != night.season.league_id:
        raise Refused([fault("player", "unknown-player", "the league has no such player")])
    found = Seat.objects.filter(night=night, player=player).first()
    if found is None:
        return Seat.objects.create(night=night, player=player, position=_next_position(night))
    if found.left_at is not None:
        _return(found)
    return found


@transaction.atomic
def seat_guest(night: Night, guest_id: UUID, name: str) -> Seat:
    """Bring somebody new to the table, by name, once for each id.

    Raises Refused, KeyReused, NightClosed.
    """
    lock_open_night(night)
    return seat(night, add_player(night.league, name, player_id=guest_id, is_guest=True))


@transaction.atomic
def leave(night: Night, player: Player) -> None:
    """Free the player's seat; the stack stays in the ledger until it is counted.

    Who has left already stays gone. Raises NightClosed.
    """
    seats = Seat.objects.filter(night=night, player=player, left_at=None)
    if seats.exists():
        lock_open_night(night)
        seats.update(left_at=timezone.now())


@transaction.atomic
def buy_in(
    night: Night,
    player: Player,
    chips: int,
    *,
    buy_in_id: UUID,
    by: User | None,
    banker: Player | None = None,
) -> BuyIn:
    """Sell chips, once for each id; a rebuy is one more.

    They come from the player's tab or, bought for cash, from that of the banker who took it.
    Raises Refused (chips, or a player without a seat), KeyReused, NightClosed.
    """
    if found := _bought_already(night, player, chips, banker, buy_in_id):
        return found
    lock_open_night(night)
    if found := _bought_already(night, player, chips, banker, buy_in_id):
        return found
    refuse([*_wrong_buy_in(night, player, chips), *wrong_banker(night, banker)])
    move = Move(accounts.tab((banker or player).pk), accounts.stack(night.pk, player.pk), chips)
    actor = actor_of(by)
    posting = post(night.league.book, f"buy-in:{buy_in_id}", [move], memo="buy-in", actor=actor)
    return BuyIn.objects.create(
        id=buy_in_id,
        night=night,
        player=player,
        chips=chips,
        banker=banker,
        posting=posting,
        made_by=by,
    )


def stacks(night: Night) -> dict[UUID, int]:
    """Return the chips before each player who has had a seat; two queries whatever the night."""
    seated = Seat.objects.filter(night=night).order_by("position").values_list("player", flat=True)
    keys = {accounts.stack(night.pk, player).key: player for player in seated}
    chips = balances(night.league.book, keys=tuple(keys))
    return {player: chips.get(key, 0) for key, player in keys.items()}


def carry(night: Night) -> int:
    """Return the chips that the next hand's pot starts with."""
    key = accounts.carry(night.pk).key
    return balances(night.league.book, keys=[key]).get(key, 0)


def hands(night: Night) -> QuerySet[Revision]:
    """Return the current revision of every hand of the night, first hand first, voided included."""
    rows = Revision.objects.filter(hand__night=night, current=True)
    return rows.select_related("hand", "document").order_by("hand__number")


def dealer(night: Night) -> Seat | None:
    """Return the seat of who deals next: the one after the last dealer's; None at no table."""
    seats = list(Seat.objects.filter(night=night, left_at=None).order_by("position"))
    last = _last_dealer_position(night)
    after = [each for each in seats if last is not None and each.position > last]
    return next(iter(after or seats), None)


def lock_night(night: Night) -> str:
    """Make the writers of one night wait for each other; return its state as it is then.

    Whoever locks a night writes to it: it moves on for all phones that look at it.
    """
    state = move_on(night.pk)
    if state is None:
        raise Night.DoesNotExist(f"there is no night {night.pk}")
    return state


def dealt_at(night: Night, told: datetime | None) -> datetime:
    """Return when a hand of the night was dealt: as told, if that can be, since clocks differ."""
    now = timezone.now()
    return min(max(told, night.started_at), now) if told else now


def lock_open_night(night: Night) -> None:
    """Lock the night for writing to it. Raises NightClosed."""
    if lock_night(night) != Night.State.OPEN:
        raise NightClosed


def actor_of(user: User | None) -> str:
    """Return how the ledger names who did it: by number, since its rows stay for good."""
    return f"user:{user.pk}" if user else ""


def _season(league: League) -> Season:
    """Return the season that goes on, a new one where the last is over."""
    season = latest_season(league)
    if season.ends_on is None:
        return season
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    season = latest_season(league)
    return season if season.ends_on is None else add_season(league)


def _lock_season(season: Season) -> Season:
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def _opened_already(league: League, night_id: UUID, name: str, usual_buy_in: int) -> Night | None:
    found = Night.objects.filter(pk=night_id).select_related("season__league__book").first()
    wanted = (league.pk, name, usual_buy_in)
    if found and (found.season.league_id, found.name, found.usual_buy_in) != wanted:
        raise KeyReused
    return found


def _last(row: dict[str, int | None]) -> int:
    return row["last"] or 0


def _next_position(night: Night) -> int:
    return _last(night.seats.aggregate(last=Max("position"))) + 1


def _return(found: Seat) -> None:
    taken = Seat.objects.filter(night=found.night_id, position=found.position, left_at=None)
    if taken.exists():
        found.position = _next_position(found.night)
    found.left_at = None
    found.save(update_fields=["position", "left_at"])


def wrong_banker(night: Night, banker: Player | None) -> Iterator[Fault]:
    """Yield what is wrong with someone who is said to have handled the cash."""
    if banker is not None and banker.league_id != night.season.league_id:
        yield fault("banker", "unknown-player", "the league has no such player")


def _bought_already(
    night: Night, player: Player, chips: object, banker: Player | None, buy_in_id: UUID
) -> BuyIn | None:
    found = BuyIn.objects.filter(pk=buy_in_id).first()
    wanted = (night.pk, player.pk, chips, banker and banker.pk)
    if found and (found.night_id, found.player_id, found.chips, found.banker_id) != wanted:
        raise KeyReused
    return found


def _wrong_buy_in(night: Night, player: Player, chips: object) -> Iterator[Fault]:
    yield from wrong_chips("chips", chips)
    if not Seat.objects.filter(night=night, player=player).exists():
        yield fault("player", "unknown-player", "the player has no seat at this night")


def _last_dealer_position(night: Night) -> int | None:
    last = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    revision = last.order_by("-hand__number").first()
    if revision is None:
        return None
    name = revision.record["players"][revision.record["button"]]["name"]
    seats = Seat.objects.filter(night=night, player=revision.names[name])
    return seats.values_list("position", flat=True).first()
