"""Bring recaps to chats: taken by lease, each begun once, sent with no transaction open.

A chat can't be told that two messages are one. So a worker says that it begins before it sends: a
post that was begun and never ended, since the worker died, is not sent again by itself. It is shown
as unsure, and a host, who sees the chat, sends it again with a tap.
"""

from datetime import timedelta
from uuid import UUID

import vl_convert
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.chat import outbox
from league.chat.channels import address_of
from league.chat.sender import Answer, Message, send
from league.jobs import leases
from league.models import ChatPost
from league.recap.night_picture import drawn
from league.recap.night_recap import recap_of, text_of
from league.webhooks.retry_schedule import MOST_TRIES, wait_after

# What the service answers where it is not the hour that is wrong.
REFUSED = frozenset({400, 401, 403, 404, 405, 410, 413})
LASTS, KEEP = timedelta(days=2), timedelta(days=90)
Outcome = ChatPost.Outcome


def leagues_due() -> list[UUID]:
    """Return the leagues that have something to tell; the longest wait first."""
    return leases.keys_of(leases.due(ChatPost.objects.all()), "channel__league", since="due_at")


def send_next(league_id: UUID) -> bool:
    """Send the next post of the league; tell whether there was one."""
    taken = leases.take_due(ChatPost.objects.filter(channel__league=league_id), most=1)
    for each in taken:
        send_post(str(each.pk), str(each.lease))
    return bool(taken)


def send_post(post_id: str, lease: str) -> None:
    """Send this post, as far as its lease still stands."""
    rows = ChatPost.objects.filter(pk=post_id)
    mine = leases.use_up(rows, lease)
    if not mine:
        return
    post = ChatPost.objects.select_related("channel__league", "closing").get(pk=post_id)
    held = rows.filter(lease=mine)
    url = address_of(post.channel)
    if post.begun_at:
        leases.finish(held, outcome=Outcome.UNSURE)
        return
    if not url or post.channel.ended_at or timezone.now() - post.made_at > LASTS:
        leases.finish(held, outcome=Outcome.GIVEN_UP)
        return
    message = message_of(post)
    if held.update(begun_at=timezone.now()):
        _give_back(held, post, send(post.channel.service, url, message))


def send_again(post: ChatPost) -> bool:
    """Send what is done once more, as a host asks; tell whether it was done."""
    rows = ChatPost.objects.filter(pk=post.pk, channel__ended_at=None).exclude(done_at=None)
    now = timezone.now()
    anew = {"due_at": now, "made_at": now, "begun_at": None, "done_at": None, "tries": 0}
    changed = rows.update(**anew, outcome="", status=None)
    if changed:
        outbox.wake()
    return bool(changed)


def forget() -> None:
    """Clear what has long been done."""
    ChatPost.objects.filter(done_at__lt=timezone.now() - KEEP).delete()


def message_of(post: ChatPost) -> Message:
    """Return what the chat reads."""
    league = post.channel.league
    if post.closing is None:
        return Message(league.name, _("Here is told from now on how each night went."))
    recap = recap_of(post.closing)
    return Message(*text_of(recap), vl_convert.svg_to_png(drawn(recap)))


def _give_back(held: "QuerySet[ChatPost]", post: ChatPost, answer: Answer) -> None:
    """Finish the post, or put it off where nothing of it has gone out."""
    if answer.arrived:
        leases.finish(held, outcome=Outcome.DELIVERED, status=answer.status)
    elif answer.partly:
        leases.finish(held, outcome=Outcome.UNSURE, status=answer.status)
    elif answer.blocked or answer.status in REFUSED:
        leases.finish(held, outcome=Outcome.REFUSED, status=answer.status)
    elif post.tries >= MOST_TRIES:
        leases.finish(held, outcome=Outcome.GIVEN_UP, status=answer.status)
    else:
        due = timezone.now() + wait_after(post.tries)
        leases.put_off(held, due, begun_at=None, status=answer.status)
