"""Each closing is posted to chats once, despite restarts and crashes."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.utils import timezone

from league import recap
from league.chat import services
from league.chat.services import publish_test
from league.closing.close import reopen_night
from league.common import row_limits
from league.common.errors import RefusedError
from league.models import ChatChannel, ChatPost, Night
from league.sending import sender
from tests.helpers.league.leagues import a_night
from tests.helpers.league.leases import let_leases_run_out
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.receiver import HERE, Receiver, deliver_all, receiver

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    night = a_night()
    dealt(night)
    return night


@pytest.fixture
def chat(settings: Any) -> Any:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as service:
        service.status = 200
        yield service


def a_channel(night: Night, chat: Receiver) -> ChatChannel:
    """A chat that has received its first message."""
    at = f"http://127.0.0.1:{chat.port}/thursdays"
    channel = services.add_channel(night.league, uuid4(), at, by=night.league.created_by)
    tell_all()
    return channel


def tell_all() -> None:
    """Process due messages, as the workers do, until none are left."""
    deliver_all(recap.SENDER)


def titles(chat: Receiver) -> list[str]:
    """Return the title of each message, read from the picture address sent to ntfy."""
    return [parse_qs(urlsplit(path).query).get("title", ["a word"])[0] for path, *_ in chat.came]


def test_chat_gets_one_message_per_closed_night(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    closing = closed(night)
    tell_all()
    assert titles(chat) == ["a word", f"{night.league.name}: {night}"]
    assert chat.came[1][2].startswith(b"\x89PNG")
    post = ChatPost.objects.get(closing=closing)
    assert (post.outcome, post.status) == ("delivered", 200)
    tell_all()
    assert len(chat.came) == 2


def test_reclosed_night_is_posted_as_a_change(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    closed(night)
    reopen_night(night, by=None)
    closed(night)
    tell_all()
    assert "has changed" in titles(chat)[-1]
    assert len(chat.came) == 3


def test_chat_address_is_stored_encrypted_and_cleared_on_removal(
    night: Night, chat: Receiver
) -> None:
    channel = a_channel(night, chat)
    assert "thursdays" not in channel.address
    assert "thursdays" not in channel.label
    services.end_channel(channel, by=night.league.created_by)
    channel.refresh_from_db()
    assert (channel.address, services.address_of(channel)) == ("", "")


def test_interrupted_message_is_not_sent_twice(night: Night, chat: Receiver) -> None:
    """After its lease expires, the message is shown as possibly sent, and a host decides."""
    a_channel(night, chat)
    closed(night)
    ChatPost.objects.filter(done_at=None).update(begun_at=timezone.now(), lease=uuid4())
    let_leases_run_out()
    tell_all()
    post = ChatPost.objects.get(closing__isnull=False)
    assert (post.outcome, len(chat.came)) == ("unsure", 1)
    assert recap.resend(post)
    tell_all()
    post.refresh_from_db()
    assert (post.outcome, len(chat.came)) == ("delivered", 2)


def test_post_is_retried_later_if_the_service_is_unavailable(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    closed(night)
    chat.status = 503
    tell_all()
    post = ChatPost.objects.get(closing__isnull=False)
    assert (post.outcome, post.begun_at, post.status) == ("", None, 503)
    assert post.due_at > timezone.now()
    chat.status = 200
    ChatPost.objects.update(due_at=timezone.now())
    tell_all()
    post.refresh_from_db()
    assert post.outcome == "delivered"


def test_post_rejected_by_the_chat_service_is_not_retried(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    closed(night)
    chat.status = 404
    tell_all()
    assert ChatPost.objects.get(closing__isnull=False).outcome == "refused"
    assert len(chat.came) == 2


def test_outdated_message_is_not_posted(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    closed(night)
    ChatPost.objects.filter(done_at=None).update(made_at=timezone.now() - timedelta(days=3))
    tell_all()
    assert ChatPost.objects.get(closing__isnull=False).outcome == "given-up"
    assert len(chat.came) == 1


def test_removed_chat_gets_no_messages(night: Night, chat: Receiver) -> None:
    channel = a_channel(night, chat)
    closed(night)
    services.end_channel(channel, by=night.league.created_by)
    tell_all()
    assert len(chat.came) == 1
    assert not recap.resend(ChatPost.objects.get(closing__isnull=False))


def test_number_of_chats_per_league_is_limited(night: Night, chat: Receiver) -> None:
    for _ in range(row_limits.CHATS.most):
        a_channel(night, chat)
    with pytest.raises(RefusedError, match="at most"):
        a_channel(night, chat)


def test_chat_added_twice_with_the_same_id_is_stored_once(night: Night, chat: Receiver) -> None:
    key, at = uuid4(), f"http://127.0.0.1:{chat.port}/thursdays"
    host = night.league.created_by
    one = services.add_channel(night.league, key, at, by=host)
    assert services.add_channel(night.league, key, at, by=host) == one
    assert ChatPost.objects.count() == 1


def test_only_one_test_message_is_queued_at_a_time(night: Night, chat: Receiver) -> None:
    channel = a_channel(night, chat)
    assert {publish_test(channel).pk for _ in range(3)} == {ChatPost.objects.latest("made_at").pk}
    tell_all()
    assert len(chat.came) == 2


def test_old_messages_are_deleted(night: Night, chat: Receiver) -> None:
    a_channel(night, chat)
    ChatPost.objects.update(done_at=timezone.now() - sender.KEEP - timedelta(days=1))
    recap.SENDER.delete_old()
    assert not ChatPost.objects.exists()
