"""A league's chats, the supported services and their address formats.

An address is encrypted and never shown again, because anyone who has it can write to the chat. A
user's address is never passed to `apprise` unchanged, because `apprise` addresses accept options
that read local files. Instead, a pattern extracts the parts of the address, and a new address is
built from the parts. Sources: https://github.com/caronc/apprise/wiki (a page for each service).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote
from uuid import UUID

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.audit_log import Kind, log_action
from league.common import row_limits
from league.common.crypto import cipher
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.locks import lock_league
from league.models import LONGEST_ADDRESS, ChatChannel, ChatPost, Closing, League, User
from league.sending.addresses import literal, networks, wrong_address
from league.sending.sender import Outcome, wake_on_commit

PURPOSE = "chat channels"
QUEUE = "chat"


@transaction.atomic
def add_channel(league: League, channel_id: UUID, address: str, *, by: User | None) -> ChatChannel:
    """Add a chat, once per id, and queue a test post. Raises RefusedError, IdReusedError."""
    place = read_address(address)
    lock_league(league.pk)
    if channel := ChatChannel.objects.filter(pk=channel_id).first():
        if channel.league_id != league.pk or address_of(channel) != place.url:
            raise IdReusedError
        return channel
    refuse(row_limits.CHATS.exceeded(of_league(league)))
    channel = ChatChannel(id=channel_id, league=league, service=place.service, made_by=by)
    channel.label = place.label
    channel.address = cipher(PURPOSE).encrypt(place.url.encode()).decode()
    channel.save(force_insert=True)
    log_action(Kind.CHAT_ADDED, by=by, league=league, service=place.service)
    publish_test(channel)
    return channel


@transaction.atomic
def end_channel(channel: ChatChannel, *, by: User | None) -> None:
    """End the chat and delete its address. Ending it again changes nothing."""
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
    """Return the address, or "" if the chat has ended or the address can't be decrypted."""
    try:
        return cipher(PURPOSE).decrypt(channel.address.encode()).decode()
    except InvalidToken:
        return ""


def publish_closing(closing: Closing) -> None:
    """Queue a post about a night that was closed, or closed again with a different result."""
    channels = ChatChannel.objects.filter(league=closing.league_id, ended_at=None)
    now = timezone.now()
    posts = [ChatPost(channel=channel, closing=closing, due_at=now) for channel in channels]
    if posts:
        ChatPost.objects.bulk_create(posts)
        wake_on_commit(QUEUE)


def publish_test(channel: ChatChannel) -> ChatPost:
    """Queue a test post, unless one is already queued."""
    waiting = ChatPost.objects.filter(channel=channel, closing=None, done_at=None).first()
    if waiting is not None:
        return waiting
    post = ChatPost.objects.create(channel=channel, due_at=timezone.now())
    wake_on_commit(QUEUE)
    return post


Parts = Mapping[str, str]
HOST = r"(?P<host>[A-Za-z0-9.-]{1,253})(?::(?P<port>\d{1,5}))?"
# tests/security/work/test_expressions.py checks that every regular expression takes linear time.
_DISCORD = re.compile(
    r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/api/webhooks/"
    r"(?P<id>\d{1,30})/(?P<token>[\w-]{1,120})/?",
    re.ASCII,
)
_TELEGRAM = re.compile(
    r"(?:tgram://)?(?P<bot>\d{1,20}:[\w-]{20,60})/(?P<chat>-?\d{1,20}|@\w{1,40})/?",
    re.ASCII,
)
_SLACK = re.compile(
    r"https://hooks\.slack\.com/services/"
    r"(?P<a>T\w{1,30})/(?P<b>B\w{1,30})/(?P<c>\w{1,60})/?",
    re.ASCII,
)
_MATRIX = re.compile(
    rf"(?P<scheme>matrixs?)://(?P<token>[\w.~-]{{8,300}})@{HOST}/"
    r"(?P<room>[#!]?[\w.:=-]{1,200})/?",
    re.ASCII,
)
_NTFY = re.compile(
    rf"(?P<scheme>https?|ntfys?)://(?:(?P<token>tk_\w{{1,60}})@)?{HOST}/"
    r"(?P<topic>[\w-]{1,64})/?",
    re.ASCII,
)
_MAIL = re.compile(
    r"mailtos://(?P<user>[\w.%+-]{1,100}):(?P<password>[^\s:@/?#]{1,100})@"
    rf"{HOST}/?\?to=(?P<to>[\w.+-]{{1,64}}@[A-Za-z0-9.-]{{1,253}})",
    re.ASCII,
)
PLAIN = frozenset({"http", "ntfy", "matrix"})
# Mail submission ports (RFC 8314, 3.3), allowed only for mail servers.
MAIL_PORTS = (465, 587)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A chat service. `pattern` matches its addresses, and `url` builds the `apprise` address."""

    code: str
    title: str | Promise
    pattern: re.Pattern[str]
    url: Callable[[Parts], str]
    example: str
    how: Promise
    takes_pictures: bool = True

    def wrong_host(self, parts: Parts) -> Iterator[Problem]:
        port = int(parts["port"] or 0)
        if self.code == "mail" and port in {0, *MAIL_PORTS}:
            yield from wrong_address("address", f"https://{parts['host']}")
            return
        wrong = list(wrong_address("address", f"https://{_host(parts)}"))
        yield from wrong
        if wrong or parts.get("scheme") not in PLAIN:
            return
        # Only hosts that the operator has allowed may be called without encryption.
        address = literal(parts["host"])
        if address is None or not any(
            address in network
            for network in networks(settings.WEBHOOK_NETWORKS)
            if network.version == address.version
        ):
            yield problem("address", "bad-url", "a chat's address must start with https://")


@dataclass(frozen=True, slots=True)
class Place:
    """A recognized chat. `url` is the address for `apprise`, and `label` is shown on pages."""

    service: str
    url: str
    label: str


def _host(parts: Parts) -> str:
    return parts["host"] + (f":{parts['port']}" if parts["port"] else "")


def _ntfy(parts: Parts) -> str:
    schema = "ntfy" if parts["scheme"] in PLAIN else "ntfys"
    token = f"{parts['token']}@" if parts["token"] else ""
    return f"{schema}://{token}{_host(parts)}/{parts['topic']}?mode=private&image=no"


def _matrix(parts: Parts) -> str:
    room = quote(parts["room"], safe="")
    return f"{parts['scheme']}://{parts['token']}@{_host(parts)}/{room}?image=no&e2ee=no"


def _mail(parts: Parts) -> str:
    user, password = quote(parts["user"], safe="%"), quote(parts["password"], safe="%")
    sender, to = quote(parts["user"].replace("%40", "@"), safe=""), quote(parts["to"], safe="")
    named = f"&from={sender}" if "%40" in parts["user"] else ""
    return f"mailtos://{user}:{password}@{_host(parts)}?to={to}{named}"


SERVICES = (
    Service(
        code="discord",
        title="Discord",
        pattern=_DISCORD,
        url=lambda parts: f"discord://{parts['id']}/{parts['token']}?avatar=no&image=no",
        example="https://discord.com/api/webhooks/…/…",
        how=_("Open Channel settings > Integrations > Webhooks > New webhook, then copy the URL."),
    ),
    Service(
        code="telegram",
        title="Telegram",
        pattern=_TELEGRAM,
        url=lambda parts: f"tgram://{parts['bot']}/{quote(parts['chat'])}?image=no",
        example="123456789:AbC…/-100987654321",
        how=_(
            "Add a bot from @BotFather to the group. Enter its token, a slash and the chat's ID."
        ),
    ),
    Service(
        code="slack",
        title="Slack",
        pattern=_SLACK,
        url=lambda parts: f"slack://{parts['a']}/{parts['b']}/{parts['c']}?image=no",
        example="https://hooks.slack.com/services/T…/B…/…",
        how=_("Copy the webhook URL of an app with Incoming Webhooks. Recaps have no picture."),
        takes_pictures=False,
    ),
    Service(
        code="matrix",
        title="Matrix",
        pattern=_MATRIX,
        url=_matrix,
        example="matrixs://TOKEN@matrix.example.org/!room:example.org",
        how=_("Use the access token of an account in the room. The room must not be encrypted."),
    ),
    Service(
        code="ntfy",
        title="ntfy",
        pattern=_NTFY,
        url=_ntfy,
        example="https://ntfy.sh/our-long-secret-topic",
        how=_("Enter the URL of the topic that your group subscribes to."),
    ),
    Service(
        code="mail",
        title=_("E-mail"),
        pattern=_MAIL,
        url=_mail,
        example="mailtos://me%40example.org:password@smtp.example.org?to=us@example.org",
        how=_("Enter the sending account, its mail server and the address of your mailing list."),
    ),
)
BY_CODE = {each.code: each for each in SERVICES}
# If an address has no host part, all of it is secret, so pages show only its last characters.
SHOWN = 3


def read_address(text: str) -> Place:
    """Return the chat for an address. Raises RefusedError."""
    text = text.strip()
    if len(text) > LONGEST_ADDRESS:
        wrong = f"this is longer than {LONGEST_ADDRESS} characters"
        raise RefusedError([problem("address", "too-long", wrong)])
    for service in SERVICES:
        if match := service.pattern.fullmatch(text):
            parts = {name: part or "" for name, part in match.groupdict().items()}
            break
    else:
        titles = [str(each.title) for each in SERVICES]
        known = f"{', '.join(titles[:-1])} or {titles[-1].lower()}"
        wrong = f"this is not an address of {known}. Compare it with the examples below"
        raise RefusedError([problem("address", "bad-url", wrong)])
    host = parts.get("host")
    if host:
        refuse(service.wrong_host(parts))
    return Place(service.code, service.url(parts), host or f"…{text.rstrip('/')[-SHOWN:]}")


def ports(service: str) -> tuple[int, ...]:
    """Return the ports, besides 80 and 443, that are allowed for this service."""
    return MAIL_PORTS if service == "mail" else ()
