"""List phones that joined with a league's code, record when they were seen, sign them out."""

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common.client_ip import record_address
from league.models import LONGEST_NAME, Device, League, Player, User
from league.people.api_keys import end_keys
from league.people.leaving import (
    end_chip_requests,
    end_invitations,
    end_session,
    keeps_membership,
    leave,
    lock,
    lose_name,
    lose_names,
)

# in seconds; phones poll every two seconds, but not every poll should write to the database
SEEN_EVERY = 60


def remember(league: League, user: User, player: Player, *, session_key: str, kind: str) -> Device:
    """Record that the phone with this session has joined as this player."""
    return Device.objects.create(
        league=league,
        user=user,
        player=player,
        session_key=session_key,
        kind=kind[:LONGEST_NAME],
    )


def saw(session_key: str, user_id: int, address: str) -> None:
    """Record when the phone with this session was last seen, and its address.

    The row is written at most once a minute.
    """
    if cache.add(f"seen:{session_key}", 1, SEEN_EVERY):
        rows = Device.objects.filter(session_key=session_key, signed_out_at=None)
        rows.update(seen_at=timezone.now())
        record_address(user_id, address)


def joined(league: League) -> QuerySet[Device]:
    """Return the phones that have joined, last seen first."""
    rows = league.devices.filter(signed_out_at=None).select_related("player", "user")
    return rows.order_by("-seen_at", "pk")


def joined_by(session_key: str | None) -> list[Device]:
    """Return this session's devices, one for each league."""
    rows = Device.objects.filter(session_key=session_key or "", signed_out_at=None)
    return list(rows.select_related("player", "league", "user").order_by("pk"))


@transaction.atomic
def sign_out(device: Device, *, by: User | None = None) -> None:
    """End the phone's session. Release its names, and end its tokens, links and requests.

    The membership ends too, unless the user can sign in elsewhere and has more than a player's
    role. Raises RefusedError if the phone is the last host's only way to sign in.
    """
    league, user = device.league, device.user
    lock(league)
    if keeps_membership(league, user):
        end_keys(league, user, by=by)
        end_invitations(league, user)
        end_chip_requests(league, user)
        lose_names(league, user)
    else:
        leave(league, user, by=by)
    end_session(device)
    log_action(Kind.PHONE_SIGNED_OUT, by=by, of=user, league=league)


@transaction.atomic
def free(player: Player, *, by: User | None = None) -> None:
    """Release the name for another phone, and sign out the phone that has it.

    Raises the same errors as `sign_out`.
    """
    lock(player.league)
    devices = player.devices.filter(signed_out_at=None)
    for device in devices.select_related("player", "league", "user"):
        sign_out(device, by=by)
    player = Player.objects.select_related("user", "league").get(pk=player.pk)
    of = player.user
    lose_name(player, by=by)
    if of:  # the user had claimed the name without using a phone
        log_action(Kind.NAME_RELEASED, by=by, of=of, league=player.league)
