"""Links for answering without an account: one for the whole league, and one per player.

A token is derived from the link's id and the service's secret key. Calendars and reminders can
therefore show the token again although only its hash is stored, and a copy of the database is not
enough to forge a token.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league.audit_log import Kind, log_action
from league.common.crypto import hashed
from league.common.locks import lock_league
from league.models import League, NightAnswerLink, Player, User

SALT = "league.planned_nights.answers"


@transaction.atomic
def share_answers(league: League, *, by: User | None) -> str:
    """Return the token of the league's link. Missing links are created."""
    lock_league(league.pk)
    give_links(league, league.players.all())
    if token := league_token(league):
        return token
    # The secret key has changed, so the token can't be derived again. Revoke the link.
    NightAnswerLink.objects.filter(league=league, player=None, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    [token] = _create_links(league, [None], by)
    log_action(Kind.ANSWERS_SHARED, by=by, league=league)
    return token


@transaction.atomic
def unshare_answers(league: League, *, by: User | None) -> int:
    """Revoke all answer links, including the players' own, and return their number."""
    links = NightAnswerLink.objects.filter(league=league, revoked_at=None)
    if ended := links.update(revoked_at=timezone.now()):
        log_action(Kind.ANSWERS_UNSHARED, by=by, league=league)
    return ended


def league_token(league: League) -> str:
    """Return the token of the league's link, or "" if it has no link."""
    link = NightAnswerLink.objects.filter(league=league, player=None, revoked_at=None).first()
    return _valid_token(link) if link else ""


def player_token(player: Player | None) -> str:
    """Return the token of the player's own link, or "" if the player has no link."""
    if player is None:
        return ""
    link = (
        NightAnswerLink.objects.filter(player=player, revoked_at=None).order_by("-made_at").first()
    )
    return _valid_token(link) if link else ""


def player_tokens(league: League) -> dict[UUID, str]:
    """Return the tokens for the players' own links, keyed by player."""
    rows = NightAnswerLink.objects.filter(league=league, player__isnull=False, revoked_at=None)
    return {
        link.player_id: token for link in rows if link.player_id and (token := _valid_token(link))
    }


@transaction.atomic
def give_links(league: League, players: Iterable[Player]) -> dict[UUID, str]:
    """Return the tokens for these players' own links, keyed by player.

    Missing links are created.
    """
    lock_league(league.pk)
    players = list(players)
    rows = NightAnswerLink.objects.filter(league=league, player__in=players, revoked_at=None)
    known = {link.player_id: token for link in rows if (token := _valid_token(link))}
    missing = [player for player in players if player.pk not in known]
    made = zip(missing, _create_links(league, missing, None), strict=True)
    created = {player.pk: token for player, token in made}
    return {player.pk: known.get(player.pk) or created[player.pk] for player in players}


def link_of(token: str) -> NightAnswerLink | None:
    """Return the valid link with this token, with its league and player, or None."""
    links = NightAnswerLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    return links.select_related("league", "player").first()


def _token(link: NightAnswerLink) -> str:
    digest = salted_hmac(SALT, str(link.pk), algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


def _create_links(league: League, players: Iterable[Player | None], by: User | None) -> list[str]:
    links = []
    for player in players:
        link = NightAnswerLink(id=uuid4(), league=league, player=player, made_by=by)
        link.token_hash = hashed(_token(link))
        links.append(link)
    NightAnswerLink.objects.bulk_create(links)
    return [_token(link) for link in links]


def _valid_token(link: NightAnswerLink) -> str:
    """Return the link's token, or "" if it was created with a different secret key."""
    token = _token(link)
    return token if hashed(token) == link.token_hash else ""
