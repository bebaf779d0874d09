"""API tokens, each for one league and one scope, and feed links.

A token allows the actions permitted by both its scope and its creator's current role. A feed link
can only read.
"""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import CharField, DateTimeField, Exists, OuterRef
from django.utils import timezone
from knox.crypto import hash_token

from league.audit_log import Kind, log_action
from league.common import row_limits
from league.common.crypto import hashed, new_token
from league.common.errors import problem, refuse, wrong_number
from league.common.locks import lock_league
from league.common.statements import Given, RowLookup
from league.common.text import tidy, wrong_text
from league.models import FeedLink, League, Membership, Scope, Token, User

# Lifetimes in days. A key that its owner forgets about must not stay valid forever.
USUAL_DAYS = 365
MOST_DAYS = 3650


@transaction.atomic
def make_token(
    league: League, user: User, name: str, scope: str, *, days: int = USUAL_DAYS
) -> tuple[Token, str]:
    """Create a token and return the row and the token's text, which is not stored.

    `days` is how long the token stays valid. Raises RefusedError.
    """
    lock_league(league.pk)
    problems = [*wrong_text("name", name)]
    if scope not in Scope.values:
        problems.append(problem("scope", "bad-option", f"this is {' or '.join(Scope.values)}"))
    problems += wrong_number("days", days, 1, MOST_DAYS, code="bad-days")
    mine = league.tokens.filter(user=user)
    problems += row_limits.API_TOKENS.exceeded(mine)
    problems += row_limits.LEAGUE_TOKENS.exceeded(league.tokens)
    refuse(problems)
    token, text = Token.objects.create(
        user, expiry=timedelta(days=days), league=league, name=tidy(name), scope=scope
    )
    log_action(Kind.TOKEN_MADE, by=user, league=league, scope=scope)
    return token, text


# A token is valid only while its creator is a member.
_TOKENS = RowLookup(
    Token.objects.select_related("user").filter(
        Exists(Membership.objects.filter(league=OuterRef("league"), user=OuterRef("user"))),
        digest=Given("digest", CharField()),
        expiry__gt=Given("now", DateTimeField()),
        user__is_active=True,
    )
)


def token_of(text: str) -> Token | None:
    """Return the token with this text, including its user, in one query."""
    # The token is looked up by its hash, so the duration of the query reveals nothing about it.
    token: Token | None = _TOKENS.first(digest=hash_token(text), now=timezone.now())
    return token


@transaction.atomic
def revoke_token(
    league: League, token_id: UUID, *, by: User | None = None, of: User | None = None
) -> None:
    """End the token. If `of` is given, the token must have been created by this user."""
    lock_league(league.pk)
    tokens = Token.objects.filter(league=league, id=token_id)
    for token in tokens.filter(user=of) if of else tokens:
        token.delete()
        log_action(Kind.TOKEN_ENDED, by=by or of, of=token.user, league=league)


@transaction.atomic
def end_keys(league: League, user: User, *, by: User | None) -> None:
    """End all tokens and feed links that the user created in the league."""
    end_tokens(league, user, Scope, by=by)
    end_links(league, user, by=by)


@transaction.atomic
def end_links(league: League, user: User, *, by: User | None) -> None:
    """End all feed links that the user created in the league."""
    for link in FeedLink.objects.filter(league=league, made_by=user, revoked_at=None):
        revoke_link(league, link.pk, by=by)


@transaction.atomic
def end_tokens(league: League, user: User, scopes: Iterable[str], *, by: User | None) -> None:
    """End the user's tokens with one of these scopes."""
    for token in Token.objects.filter(league=league, user=user, scope__in=list(scopes)):
        revoke_token(league, token.id, by=by)


@transaction.atomic
def make_link(league: League, name: str, *, by: User | None) -> tuple[FeedLink, str]:
    """Create a feed link and return the row and the link's key, which is not stored.

    Raises RefusedError.
    """
    lock_league(league.pk)
    active = league.feed_links.filter(revoked_at=None)
    refuse([*wrong_text("name", name), *row_limits.FEED_LINKS.exceeded(active)])
    key = new_token()
    link = FeedLink.objects.create(league=league, name=tidy(name), key_hash=hashed(key), made_by=by)
    log_action(Kind.LINK_MADE, by=by, league=league)
    return link, key


_LINKS = RowLookup(FeedLink.objects.filter(key_hash=Given("digest", CharField()), revoked_at=None))


def link_of(key: str) -> FeedLink | None:
    link: FeedLink | None = _LINKS.first(digest=hashed(key))
    return link


@transaction.atomic
def revoke_link(league: League, link_id: UUID, *, by: User | None = None) -> None:
    """End the feed link. Ending it twice changes nothing."""
    lock_league(league.pk)
    links = FeedLink.objects.filter(league=league, pk=link_id, revoked_at=None)
    if links.update(revoked_at=timezone.now()):
        log_action(Kind.LINK_ENDED, by=by, league=league)
