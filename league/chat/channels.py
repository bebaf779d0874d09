"""The chats of a league: add one, end one, queue a post.

An address is encrypted, because anyone who has it can write into the chat. It is never shown again.
"""

from uuid import UUID

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.chat.services import read_address
from league.common import bounds
from league.common.crypto import cipher
from league.common.errors import IdReusedError, refuse
from league.models import ChatChannel, ChatPost, Closing, League, User
from league.sending.sender import Outcome, wake

PURPOSE = "chat channels"
QUEUE = "chat"


@transaction.atomic
def add_channel(league: League, channel_id: UUID, address: str, *, by: User | None) -> ChatChannel:
    """Add a chat, once for each id, and send a test post. Raises RefusedError, IdReusedError."""
    place = read_address(address)
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if found := ChatChannel.objects.filter(pk=channel_id).first():
        if found.league_id != league.pk or address_of(found) != place.url:
            raise IdReusedError
        return found
    refuse(bounds.CHATS.exceeded(of_league(league)))
    channel = ChatChannel(id=channel_id, league=league, service=place.service, made_by=by)
    channel.label = place.label
    channel.address = cipher(PURPOSE).encrypt(place.url.encode()).decode()
    channel.save(force_insert=True)
    log_action(Kind.CHAT_ADDED, by=by, league=league, service=place.service)
    publish_test(channel)
    return channel


@transaction.atomic
def end_channel(channel: ChatChannel, *, by: User | None) -> None:
    """End the chat and delete its address. Ending it twice changes nothing."""
    rows = ChatChannel.objects.select_for_update(no_key=True).filter(pk=channel.pk, ended_at=None)
    if not rows.exists():
        return
    rows.update(ended_at=timezone.now(), address="")
    channel.posts.filter(done_at=None).update(done_at=timezone.now(), outcome=Outcome.GIVEN_UP)
    log_action(Kind.CHAT_ENDED, by=by, league=channel.league, service=channel.service)


def of_league(league: League) -> QuerySet[ChatChannel]:
    """Return the active chats, in the order in which they were added."""
    return ChatChannel.objects.filter(league=league, ended_at=None).order_by("made_at")


def address_of(channel: ChatChannel) -> str:
    """Return the address; empty if the chat has ended or the address can't be decrypted."""
    try:
        return cipher(PURPOSE).decrypt(channel.address.encode()).decode()
    except InvalidToken:
        return ""


def publish_closing(closing: Closing) -> None:
    """Queue a post about a night that was closed, or closed again with another result."""
    channels = ChatChannel.objects.filter(league=closing.league_id, ended_at=None)
    now = timezone.now()
    posts = [ChatPost(channel=channel, closing=closing, due_at=now) for channel in channels]
    if posts:
        ChatPost.objects.bulk_create(posts)
        wake(QUEUE)


def publish_test(channel: ChatChannel) -> ChatPost:
    """Queue a test post, unless one is already queued."""
    waiting = ChatPost.objects.filter(channel=channel, closing=None, done_at=None).first()
    if waiting is not None:
        return waiting
    post = ChatPost.objects.create(channel=channel, due_at=timezone.now())
    wake(QUEUE)
    return post
