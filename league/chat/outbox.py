"""What a chat is to be told, left in the transaction in which it happened."""

from celery import current_app
from django.db import transaction
from django.utils import timezone

from league.models import ChatChannel, ChatPost, Closing


def publish_closing(closing: Closing) -> None:
    """Leave word of a night that was closed, or closed again with another result."""
    channels = ChatChannel.objects.filter(league=closing.league_id, ended_at=None)
    now = timezone.now()
    rows = [ChatPost(channel=each, closing=closing, due_at=now) for each in channels]
    if rows:
        ChatPost.objects.bulk_create(rows)
        wake()


def publish_test(channel: ChatChannel) -> ChatPost:
    """Leave a word that tries the chat out; one that is on its way is enough."""
    waiting = ChatPost.objects.filter(channel=channel, closing=None, done_at=None).first()
    if waiting is not None:
        return waiting
    post = ChatPost.objects.create(channel=channel, due_at=timezone.now())
    wake()
    return post


def wake() -> None:
    """Have what is due sent once this transaction stands; a message that is lost costs a sweep."""
    send = current_app.send_task
    transaction.on_commit(lambda: send("league.tasks.sweep_chat"), robust=True)
