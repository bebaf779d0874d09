"""Send recaps to chats.

A chat can't detect duplicates, so a worker records the start before it sends a post. If the worker
dies in between, the post's outcome is unsure. Such a post is not sent again automatically, but a
host can check the chat and send it again.
"""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from league.chat.sender import Message, send
from league.chat.services import QUEUE, address_of
from league.common.pictures import png_of
from league.models import ChatPost
from league.recap.night_recap import drawn, recap_of, text_of
from league.sending.sender import Outcome, Result, Sender, wake

# Status codes for which retrying would have the same result.
REFUSED = frozenset({400, 401, 403, 404, 405, 410, 413})
LASTS = timedelta(days=2)


class ChatSender(Sender[ChatPost]):
    queue = QUEUE
    model = ChatPost
    league_path = "channel__league"
    related = ("channel__league", "closing")

    def send(self, post: ChatPost) -> Result:
        url = address_of(post.channel)
        if post.begun_at:
            return Result(Outcome.UNSURE)
        if not url or post.channel.ended_at or timezone.now() - post.made_at > LASTS:
            return Result(Outcome.GIVEN_UP)
        message = message_of(post)
        if not self.rows().filter(pk=post.pk, lease=post.lease).update(begun_at=timezone.now()):
            return Result()
        answer = send(post.channel.service, url, message)
        status = {"status": answer.status}
        if answer.arrived:
            return Result(Outcome.DELIVERED, columns=status)
        if answer.partly:
            return Result(Outcome.UNSURE, columns=status)
        if answer.blocked or answer.status in REFUSED:
            return Result(Outcome.REFUSED, columns=status)
        return Result(columns={**status, "begun_at": None})


SENDER = ChatSender()


def resend(post: ChatPost) -> bool:
    """Send a finished post again. Return whether it was finished."""
    rows = ChatPost.objects.filter(pk=post.pk, channel__ended_at=None).exclude(done_at=None)
    now = timezone.now()
    reset = {"due_at": now, "made_at": now, "begun_at": None, "done_at": None, "tries": 0}
    changed = rows.update(**reset, outcome="", status=None)
    if changed:
        wake(QUEUE)
    return bool(changed)


def message_of(post: ChatPost) -> Message:
    """Return the message for the chat."""
    league = post.channel.league
    if post.closing is None:
        return Message(league.name, _("Results of each night will be posted here."))
    recap = recap_of(post.closing)
    return Message(*text_of(recap), png_of(drawn(recap)))
