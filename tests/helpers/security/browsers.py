"""Browsers of phones that joined a league, and of members."""

from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from league.models import Night, Player, Role, User
from league.people.joining import join
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_user, player


def joined(night: Night, name: str) -> Client:
    """Return the browser of a phone that joined with the code as this player."""
    return signed_in(join(night.league, player(night, name)))


def someone(night: Night, role: Role) -> Client:
    """Return the browser of a member with this role who is not a player."""
    user = a_user()
    add_member(night.league, user, role)
    return signed_in(user)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(client: Client, address: str, **body: Any) -> HttpResponse:
    """Post JSON to the API."""
    at = f"/api/v1/{address}"
    plain = {key: str(each.pk) if isinstance(each, Player) else each for key, each in body.items()}
    return client.post(at, plain, content_type="application/json")


def bought(night: Night, who: Player, chips: int, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "player": who, "chips": chips, **more}
