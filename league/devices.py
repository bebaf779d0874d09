"""Phones that joined by a league's code: who they are, when they were seen; sign them out."""

from importlib import import_module

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.joining import leave_phone
from league.logbook import Kind, note
from league.models import LONGEST_NAME, Device, League, Player, User

SEEN_EVERY = 60  # seconds: a phone asks every two, and writing as often would serve nobody


def remember(league: League, user: User, player: Player, *, session_key: str, kind: str) -> Device:
    """Keep that this phone has joined under this name."""
    return Device.objects.create(
        league=league,
        user=user,
        player=player,
        session_key=session_key,
        kind=kind[:LONGEST_NAME],
    )


def saw(session_key: str) -> None:
    """Note that the phone of this session is there, once a minute."""
    if cache.add(f"seen:{session_key}", 1, SEEN_EVERY):
        rows = Device.objects.filter(session_key=session_key, signed_out_at=None)
        rows.update(seen_at=timezone.now())


def joined(league: League) -> QuerySet[Device]:
    """Return the phones that are in, those last seen first."""
    rows = league.devices.filter(signed_out_at=None).select_related("player", "user")
    return rows.order_by("-seen_at", "pk")


@transaction.atomic
def sign_out(device: Device, *, by: User | None = None) -> None:
    """End the phone's session at once, and free the name that it had picked."""
    engine = import_module(settings.SESSION_ENGINE)
    engine.SessionStore(device.session_key).delete()
    if device.player.user_id == device.user_id:
        leave_phone(device.player)
    device.signed_out_at = timezone.now()
    device.save(update_fields=["signed_out_at"])
    note(Kind.PHONE_SIGNED_OUT, by=by, of=device.user, league=device.league)


@transaction.atomic
def free(player: Player, *, by: User | None = None) -> None:
    """Free the name for another phone; whichever had it is signed out."""
    for device in player.devices.filter(signed_out_at=None).select_related("player"):
        sign_out(device, by=by)
    player = Player.objects.select_related("user", "league").get(pk=player.pk)
    if player.user:  # who had it without a phone
        note(Kind.NAME_RELEASED, by=by, of=player.user, league=player.league)
    leave_phone(player)
