"""Hosts manage a league's chats on a page. Members see a night's picture."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.chat import services
from league.chat.services import address_of
from league.models import ChatChannel, ChatPost, LogbookEntry, Role
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_league, a_night
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/123456789/abcdefghijk"


def test_host_can_add_test_and_remove_a_chat() -> None:
    league = a_league()
    host, at = member(league, Role.HOST), f"/leagues/{league.pk}/chat"
    assert host.post(at, {"id": uuid4(), "address": DISCORD}).status_code == 302
    channel = ChatChannel.objects.get()
    assert address_of(channel).startswith("discord://123456789/abcdefghijk")
    page = html(host.get(at))
    assert "Discord" in page
    assert "sending" in page
    assert "abcdefghijk" not in page
    host.post(f"{at}/{channel.pk}/test")
    assert ChatPost.objects.count() == 1  # a message is already queued
    ChatPost.objects.update(done_at=timezone.now())
    host.post(f"{at}/{channel.pk}/test")
    assert ChatPost.objects.count() == 2
    host.post(f"{at}/{channel.pk}/end")
    assert f"{channel.pk}" not in html(host.get(at))
    kinds = LogbookEntry.objects.values_list("kind", flat=True)
    assert {"chat-added", "chat-ended"} <= set(kinds)
    assert "abcdefghijk" not in str(list(LogbookEntry.objects.values_list("about", flat=True)))


def test_error_is_shown_next_to_the_typed_value() -> None:
    league = a_league()
    answer = member(league, Role.HOST).post(
        f"/leagues/{league.pk}/chat", {"id": uuid4(), "address": "https://10.0.0.1/topic"}
    )
    assert answer.status_code == 400
    assert b"not a public internet address" in answer.content
    assert b'value="https://10.0.0.1/topic"' in answer.content


def test_id_reused_for_a_different_address_is_refused() -> None:
    """A form sends its id again after the browser's back button."""
    league = a_league()
    host, at = member(league, Role.HOST), f"/leagues/{league.pk}/chat"
    sent = {"id": uuid4(), "address": DISCORD}
    for _ in range(2):
        assert host.post(at, sent).status_code == 302
    other = {**sent, "address": "https://ntfy.example.org/thursdays"}
    refused = host.post(at, other)
    assert refused.status_code == 400
    assert "already saved with other values" in html(refused)
    assert 'value="https://ntfy.example.org/thursdays"' in html(refused)
    elsewhere = a_league()
    foreign = member(elsewhere, Role.HOST).post(f"/leagues/{elsewhere.pk}/chat", sent)
    assert foreign.status_code == 400
    assert ChatChannel.objects.count() == 1


def test_empty_chat_form_is_refused() -> None:
    league = a_league()
    assert member(league, Role.HOST).post(f"/leagues/{league.pk}/chat", {}).status_code == 400


def test_only_hosts_of_the_league_can_see_and_change_its_chats() -> None:
    league, other = a_league(), a_league()
    host = league.created_by
    channel = services.add_channel(league, uuid4(), DISCORD, by=host)
    post = channel.posts.get()
    at = f"/leagues/{league.pk}/chat"
    doors = (at, f"{at}/{channel.pk}/test", f"{at}/{channel.pk}/end")
    for who in (member(league, Role.SCOREKEEPER), member(other, Role.HOST), someone()):
        assert who.get(at).status_code in {403, 404}
        for door in (*doors, f"{at}/{channel.pk}/posts/{post.pk}"):
            assert who.post(door, {"id": uuid4(), "address": DISCORD}).status_code in {403, 404}
    elsewhere = f"/leagues/{other.pk}/chat/{channel.pk}"
    for door in ("test", "end", f"posts/{post.pk}"):
        assert member(other, Role.HOST).post(f"{elsewhere}/{door}").status_code == 404
    assert (ChatChannel.objects.count(), ChatPost.objects.count()) == (1, 1)


def test_only_league_members_can_see_the_picture_of_a_closed_night() -> None:
    night = a_night()
    dealt(night)
    at, viewer = f"/nights/{night.pk}/recap.png", member(night.league, Role.VIEWER)
    assert viewer.get(at).status_code == 404
    closed(night)
    answer = viewer.get(at)
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert viewer.get(at, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert someone().get(at).status_code == 404
    assert Client().get(at).status_code == 302
    assert at in html(viewer.get(f"/nights/{night.pk}/receipt"))
