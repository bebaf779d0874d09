"""A night's seats, hands and lock, and whether it was played.

Stacks and the carry are stored only in the ledger.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, UUIDField
from django.utils import timezone

from league.change_version import bump_night
from league.common import row_limits
from league.common.errors import (
    NightClosedError,
    RefusedError,
    problem,
    refuse,
)
from league.common.statements import Given, RowQuery
from league.models import (
    ClosingLine,
    Hand,
    League,
    Night,
    Player,
    Revision,
    Seat,
    Tournament,
)
from league.nights import accounts
from league.people.leagues import add_player, wrong_former_name
from ledger.balances import balances

DOCUMENT = "document__document"  # a hand's rules, which hand lists do not need
MANY_NAMES = 40  # forms for leagues with more players than this have a search
RECENT_NIGHTS = 20


@transaction.atomic
def seat(night: Night, player: Player) -> Seat:
    """Seat the player after the last seat. A returning player gets the old seat if it is free.

    Raises RefusedError if the player belongs to another league, or NightClosedError.
    """
    lock_and_bump_open(night)
    if player.league_id != night.season.league_id:
        raise RefusedError([problem("player", "unknown-player", "the league has no such player")])
    existing = Seat.objects.filter(night=night, player=player).first()
    if existing is None:
        refuse(wrong_former_name(night.former_names.all(), player.name, player))
        refuse(row_limits.SEATS.exceeded(night.seats))
        return Seat.objects.create(night=night, player=player, position=_next_position(night))
    if existing.left_at is not None:
        taken = Seat.objects.filter(
            night=existing.night_id, position=existing.position, left_at=None
        )
        if taken.exists():
            existing.position = _next_position(existing.night)
        existing.left_at = existing.leaving_at = None
        existing.save(update_fields=["position", "left_at", "leaving_at"])
    return existing


@transaction.atomic
def seat_guest(night: Night, guest_id: UUID, name: str) -> Seat:
    """Create a player with this name and seat the new player, once for each id.

    Raises RefusedError, IdReusedError or NightClosedError.
    """
    lock_and_bump_open(night)
    return seat(night, add_player(night.league, name, player_id=guest_id, is_guest=True))


@transaction.atomic
def leave(night: Night, player: Player, *, at: datetime | None = None) -> None:
    """Free the player's seat. The chips stay in the player's stack account until the count.

    Freeing the seat twice changes nothing. Raises NightClosedError.
    """
    seats = Seat.objects.filter(night=night, player=player, left_at=None)
    if seats.exists():
        lock_and_bump_open(night)
        seats.update(left_at=at or timezone.now())


_NIGHT = Given("night", UUIDField())
_SEATS = RowQuery(Seat.objects.filter(night=_NIGHT).select_related("player").order_by("position"))


def seats(night: Night) -> list[Seat]:
    """Return all seats with their players, in order. Players who have left are included."""
    return _SEATS.all(night=night.pk)


def stacks(night: Night, players: Iterable[UUID] | None = None) -> dict[UUID, int]:
    """Return the stacks of these players, or of all players who have had a seat."""
    if players is None:
        players = night.seats.order_by("position").values_list("player", flat=True)
    keys = {accounts.stack(night.pk, player).key: player for player in players}
    chips = balances(night.league.book, keys=tuple(keys))
    return {player: chips.get(key, 0) for key, player in keys.items()}


def carry(night: Night) -> int:
    """Return how many chips the next hand's pot starts with."""
    key = accounts.carry(night.pk).key
    return balances(night.league.book, keys=[key]).get(key, 0)


def newest_open(league: League) -> Night | None:
    """Return the night that is being played. Imported nights only wait for their closing."""
    nights = Night.objects.filter(season__league=league, state=Night.State.OPEN, imported=False)
    return nights.order_by("-started_at").first()


def recent_players(league: League) -> list[Player]:
    """Return all players in the league, most recent first.

    Players of the last nights come first, in seat order. All other players follow in the order in
    which they were added.
    """
    nights = Night.objects.filter(season__league=league).order_by("-started_at")
    recent = {
        pk: place for place, pk in enumerate(nights.values_list("pk", flat=True)[:RECENT_NIGHTS])
    }
    seats = Seat.objects.filter(night__in=[*recent]).values_list("player", "night", "position")
    sat: dict[UUID, tuple[int, int]] = {}
    for player, night, position in sorted(seats, key=lambda row: recent[row[1]]):
        sat.setdefault(player, (recent[night], position))
    players = league.players.order_by(F("added_at").asc(nulls_first=True), "name")
    return sorted(players, key=lambda player: sat.get(player.pk, (len(recent), 0)))


def last_seating(league: League) -> tuple[dict[UUID, int], int]:
    """Return the seats of the league's latest night, keyed by player, and its usual buy-in.

    Returns no seats and 0 if the league has no nights. Players who left are included.
    """
    night = Night.objects.filter(season__league=league).order_by("-started_at").first()
    if night is None:
        return {}, 0
    seats = Seat.objects.filter(night=night).values_list("player", "position")
    return dict(seats), night.usual_buy_in


def hands(night: Night | Given) -> QuerySet[Revision]:
    """Return the current revision of each of the night's hands, in order, even voided ones."""
    rows = Revision.objects.filter(hand__night=night, current=True)
    return rows.select_related("hand", "document").order_by("hand__number")


_LAST_HAND = RowQuery(
    Revision.objects.filter(hand__night=_NIGHT, hand__voided=False, current=True)
    .select_related("hand")
    .order_by("-hand__made_at", "-hand__number")[:1]
)


def last_hand(night: Night) -> Revision | None:
    """Return the current revision of the hand that was dealt last and is not voided."""
    return _LAST_HAND.first(night=night.pk)


def last_hand_before(night: Night) -> Revision | None:
    """Return the last hand of the league's last night whose chips had the same value."""
    has_hands = Exists(Hand.objects.filter(night=OuterRef("pk"), voided=False))
    nights = Night.objects.filter(
        has_hands,
        season__league=night.season.league_id,
        started_at__lt=night.started_at,
        chip_value=night.chip_value,
        currency=night.currency,
    )
    last = nights.order_by("-started_at").first()
    return last_hand(last) if last else None


def last_recorded(night: Night) -> Revision | None:
    """Return the current revision of the hand with the last number that is not voided."""
    return hands(night).filter(hand__voided=False).last()


def last_dealt(revisions: Iterable[Revision]) -> Revision | None:
    """Return the hand that was dealt last and is not voided, as `last_hand` does.

    It is not always the hand with the last number, because a phone without a connection sends its
    hands later (docs/decisions/0110-the-last-hand.md).
    """
    valid = (revision for revision in revisions if not revision.hand.voided)
    return max(
        valid, key=lambda revision: (revision.hand.made_at, revision.hand.number), default=None
    )


def lock_and_bump(night: Night) -> str:
    """Lock the night until the transaction ends, and return its state.

    The night's version is increased, so all phones that show the night reload it. Raises
    Night.DoesNotExist.
    """
    state = bump_night(night.pk)
    if state is None:
        raise Night.DoesNotExist(f"there is no night {night.pk}")
    return state


def dealt_at(night: Night, stated: datetime | None) -> datetime:
    """Return when a hand was dealt, which is `stated` if that lies between the start and now.

    The sender's clock may be wrong, so other times are limited to this range. The default is now.
    """
    now = timezone.now()
    return min(max(stated, night.started_at), now) if stated else now


def lock_and_bump_open(night: Night) -> None:
    """Lock the night, which must be open. Raises NightClosedError."""
    if lock_and_bump(night) != Night.State.OPEN:
        raise NightClosedError


def _next_position(night: Night) -> int:
    return (night.seats.aggregate(last=Max("position"))["last"] or 0) + 1


# --- nights that were not played ------------------------------------------------------------------


# The condition for a closing's line in which nothing happened.
_CHIPS = (
    *("bought", "cashed", "stack", "back", "put_right", "bears"),
    *("entered", "prizes", "cash", "charged"),
)
EMPTY = (Q(counted__isnull=True) | Q(counted=0)) & Q(**dict.fromkeys(_CHIPS, 0))
_OF_NIGHT = {"night": OuterRef("pk")}
_LINES = ClosingLine.objects.filter(
    closing__night=OuterRef("pk"), closing__posting__reversal=None
).exclude(EMPTY)
# The condition for a closed night without hands, tournaments and chips. It does not count.
UNPLAYED = (
    Q(state=Night.State.CLOSED)
    & ~Exists(Hand.objects.filter(voided=False, **_OF_NIGHT))
    & ~Exists(Tournament.objects.filter(called_off_at=None, **_OF_NIGHT))
    & ~Exists(_LINES)
)


def was_played(night: Night) -> bool:
    """Return whether the night is open, or anything happened in it before it was closed."""
    return not Night.objects.filter(UNPLAYED, pk=night.pk).exists()


def ever_had_results(night: Night) -> bool:
    """Return whether any closing of the night has a line in which something happened."""
    lines = ClosingLine.objects.filter(closing__night=night)
    return lines.exclude(EMPTY & Q(settles=0)).exists()
