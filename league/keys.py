"""Keys for programs: tokens, each for one league and one scope, and links that read the feeds.

A token does what its scope allows and its maker's role still allows. A link reads, whoever made it.
"""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from knox.crypto import hash_token

from league.link_tokens import hashed, new_token
from league.logbook import Kind, note
from league.models import FeedLink, League, Scope, Token, User
from league.refusals import Fault, fault, refuse
from league.texts import tidy, wrong_text

# In days. A key that nobody remembers should not open the door for ever.
USUAL_DAYS = 365
MOST_DAYS = 3650
MOST_KEYS = 50


@transaction.atomic
def make_token(
    league: League, user: User, name: str, scope: str, *, days: int = USUAL_DAYS
) -> tuple[Token, str]:
    """Make a token and return it with its text, which is kept nowhere. Raises Refused."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    refuse([*_wrong(name, scope, days), *_too_many(league.tokens.filter(user=user).count())])
    token, text = Token.objects.create(
        user, expiry=timedelta(days=days), league=league, name=tidy(name), scope=scope
    )
    note(Kind.TOKEN_MADE, by=user, league=league, scope=scope)
    return token, text


def token_of(text: str) -> Token | None:
    """Return the token that this is the text of, with its user; one query."""
    # Found by its hash: how long the search takes says nothing about the token.
    rows = Token.objects.select_related("user").filter(digest=hash_token(text))
    found: Token | None = rows.filter(expiry__gt=timezone.now(), user__is_active=True).first()
    return found


@transaction.atomic
def revoke_token(
    league: League, token_id: UUID, *, by: User | None = None, of: User | None = None
) -> None:
    """End the token at once; of this user's only, if one is named."""
    tokens = Token.objects.filter(league=league, id=token_id)
    for token in tokens.filter(user=of) if of else tokens:
        token.delete()
        note(Kind.TOKEN_ENDED, by=by or of, of=token.user, league=league)


@transaction.atomic
def make_link(league: League, name: str, *, by: User | None) -> tuple[FeedLink, str]:
    """Make a link to the feeds and return it with its key, kept nowhere. Raises Refused."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    standing = league.feed_links.filter(revoked_at=None)
    refuse([*wrong_text("name", name), *_too_many(standing.count())])
    key = new_token()
    link = FeedLink.objects.create(league=league, name=tidy(name), key_hash=hashed(key), made_by=by)
    note(Kind.LINK_MADE, by=by, league=league)
    return link, key


def link_of(key: str) -> FeedLink | None:
    """Return the link that has this key."""
    return FeedLink.objects.filter(key_hash=hashed(key), revoked_at=None).first()


@transaction.atomic
def revoke_link(league: League, link_id: UUID, *, by: User | None = None) -> None:
    """End the link at once; doing it twice changes nothing."""
    links = FeedLink.objects.filter(league=league, pk=link_id, revoked_at=None)
    if links.update(revoked_at=timezone.now()):
        note(Kind.LINK_ENDED, by=by, league=league)


def _wrong(name: object, scope: object, days: object) -> Iterator[Fault]:
    yield from wrong_text("name", name)
    if scope not in Scope.values:
        yield fault("scope", "bad-option", f"this is {' or '.join(Scope.values)}")
    if not isinstance(days, int) or isinstance(days, bool) or not 1 <= days <= MOST_DAYS:
        yield fault("days", "bad-days", f"this must be a whole number from 1 to {MOST_DAYS}")


def _too_many(standing: int) -> Iterator[Fault]:
    if standing >= MOST_KEYS:
        yield fault("", "too-many", f"there are {MOST_KEYS} already: end one first")
