"""The hooks of a league: make, change, rotate the secret, switch on again, retire.

A secret is shown when it is made and never again: nobody, and no copy of the database, can read
it afterwards. A retired hook stays, with what was sent to it.
"""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league import logbook
from league.logbook import Kind
from league.models import (
    CHOSEN,
    LONGEST_ADDRESS,
    LONGEST_NAME,
    Delivery,
    League,
    User,
    Webhook,
)
from league.refusals import Fault, KeyReused, fault, refuse
from league.texts import wrong_text
from league.webhooks.addresses import PORTS, literal, may_call, networks
from league.webhooks.outbox import tell_ping, wake
from league.webhooks.signing import secret_of

MOST_HOOKS = 10
# So long the old secret signs beside a new one.
OVERLAP = timedelta(hours=24)


@transaction.atomic
def make(
    league: League,
    hook_id: UUID,
    url: object,
    *,
    by: User | None,
    events: object = CHOSEN,
    note: object = "",
) -> tuple[Webhook, str]:
    """Make a hook, once for each id; return it with its secret, or with none if it was there.

    Raises Refused, KeyReused (the id stands for another hook).
    """
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if found := Webhook.objects.filter(pk=hook_id).first():
        if (found.league_id, found.url) != (league.pk, url):
            raise KeyReused
        return found, ""
    refuse([*wrong_hook(url, events, note), *_too_many(league)])
    hook = Webhook(id=hook_id, league=league, url=str(url), note=str(note), made_by=by)
    hook.events, hook.salt = _chosen(events), _new_salt()
    hook.save(force_insert=True)
    _note(Kind.WEBHOOK_MADE, hook, by)
    return hook, secrets_of(hook)[0]


@transaction.atomic
def change(
    hook: Webhook,
    *,
    by: User | None = None,
    url: object = None,
    events: object = None,
    note: object = None,
) -> Webhook:
    """Change what is told, and where. Raises Refused."""
    hook = _lock(hook)
    url, note = hook.url if url is None else url, hook.note if note is None else note
    events = hook.events if events is None else events
    refuse([*wrong_hook(url, events, note), *_retired(hook)])
    new = {"url": str(url), "note": str(note), "events": _chosen(events)}
    changed = [name for name, value in new.items() if getattr(hook, name) != value]
    for name in changed:
        setattr(hook, name, new[name])
    hook.save(update_fields=changed)
    if changed:
        _note(Kind.WEBHOOK_CHANGED, hook, by, changed=", ".join(changed))
    return hook


@transaction.atomic
def rotate(hook: Webhook, *, by: User | None = None) -> tuple[Webhook, str]:
    """Give the hook a new secret; the old one signs as well for a day. Raises Refused."""
    hook = _lock(hook)
    refuse(_retired(hook))
    hook.old_salt, hook.old_until = hook.salt, timezone.now() + OVERLAP
    hook.salt = _new_salt()
    hook.save(update_fields=["salt", "old_salt", "old_until"])
    _note(Kind.WEBHOOK_RENEWED, hook, by)
    return hook, secrets_of(hook)[0]


@transaction.atomic
def switch_on(hook: Webhook, *, by: User | None = None) -> Webhook:
    """Send to the hook again, after it was switched off by itself. Raises Refused."""
    hook = _lock(hook)
    refuse(_retired(hook))
    was_off = hook.disabled_at is not None
    hook.disabled_at = hook.failing_since = None
    hook.save(update_fields=["disabled_at", "failing_since"])
    if was_off:
        _note(Kind.WEBHOOK_STARTED, hook, by)
    return hook


@transaction.atomic
def retire(hook: Webhook, *, by: User | None = None) -> Webhook:
    """Send nothing there any more; doing it twice changes nothing."""
    hook = _lock(hook)
    if hook.retired_at is None:
        hook.retired_at = timezone.now()
        hook.save(update_fields=["retired_at"])
        waiting = hook.deliveries.filter(done_at=None)
        waiting.update(done_at=hook.retired_at, outcome=Delivery.Outcome.GIVEN_UP)
        _note(Kind.WEBHOOK_RETIRED, hook, by)
    return hook


@transaction.atomic
def ping(hook: Webhook) -> Delivery:
    """Send a word that means nothing, to try the hook out. Raises Refused where it is off."""
    hook = _lock(hook)
    refuse(_off(hook))
    return tell_ping(hook)


@transaction.atomic
def redeliver(delivery: Delivery) -> Delivery:
    """Send once more what was delivered or given up, under the same id. Raises Refused."""
    hook = _lock(delivery.hook)
    refuse(_off(hook))
    delivery = Delivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    if delivery.done_at is not None:
        delivery.done_at = delivery.lease = delivery.leased_until = None
        delivery.due_at, delivery.tries, delivery.outcome = timezone.now(), 0, ""
        delivery.save()
        wake()
    return delivery


def secrets_of(hook: Webhook) -> list[str]:
    """Return the secrets that are good now, the newest first."""
    salts = [hook.salt]
    if hook.old_until and hook.old_until > timezone.now():
        salts.append(hook.old_salt)
    return [secret_of(salt, settings.SECRET_KEY) for salt in salts]


def wrong_hook(url: object, events: object, note: object) -> Iterator[Fault]:
    """Yield what is wrong with a hook as someone wants it."""
    wrong = list(wrong_text("url", url, longest=LONGEST_ADDRESS))
    yield from wrong or _wrong_address(str(url))
    yield from wrong_text("note", note, longest=LONGEST_NAME, needed=False)
    known = isinstance(events, list | tuple) and all(each in CHOSEN for each in events)
    if not known or not events:
        text = f"this must list at least one of {', '.join(CHOSEN)}"
        yield fault("events", "unknown-event", text)


def _wrong_address(text: str) -> Iterator[Fault]:
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = SplitResult("", "", "", "", ""), None, None
    if url.scheme not in {"http", "https"} or not host or not _plain(text):
        yield fault("url", "bad-url", "an address begins with https:// and names a host")
    elif url.username is not None or url.fragment:
        yield fault("url", "bad-url", "an address holds no user, password or #fragment")
    elif not settings.WEBHOOK_NETWORKS and port not in {None, *PORTS}:
        yield fault("url", "bad-port", "only the ports 80 and 443 are called")
    elif (at := literal(host)) and not may_call(
        at, port or 443, networks(settings.WEBHOOK_NETWORKS)
    ):
        yield fault("url", "private-address", f"{at} is not an address of the open internet")


def _plain(text: str) -> bool:
    """Tell whether the address can stand in a request as it is, save for letters of the host."""
    host_free = text.replace(urlsplit(text).netloc, "", 1)
    return host_free.isascii() and text.isprintable() and " " not in text


def _chosen(events: object) -> list[str]:
    return [kind for kind in CHOSEN if isinstance(events, list | tuple) and kind in events]


def _too_many(league: League) -> Iterator[Fault]:
    if Webhook.objects.filter(league=league, retired_at=None).count() >= MOST_HOOKS:
        yield fault("", "too-many", f"a league has at most {MOST_HOOKS} webhooks")


def _retired(hook: Webhook) -> Iterator[Fault]:
    if hook.retired_at:
        yield fault("", "retired", "this webhook is retired")


def _off(hook: Webhook) -> Iterator[Fault]:
    yield from _retired(hook)
    if hook.disabled_at and not hook.retired_at:
        yield fault("", "disabled", "this webhook is switched off: switch it on first")


def _note(kind: Kind, hook: Webhook, by: User | None, **about: Any) -> None:
    """Tell which hook, not where it leads: an address may open what it leads to."""
    logbook.note(kind, by=by, league=hook.league, webhook=str(hook.pk), **about)


def _lock(hook: Webhook) -> Webhook:
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league").get(pk=hook.pk)


def _new_salt() -> str:
    return secrets.token_hex(16)
