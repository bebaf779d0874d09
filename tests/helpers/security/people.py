"""Users who sign in on the sign-in page, and old sign-ins."""

from typing import Any

from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client

from league.models import LogbookEntry, User
from tests.helpers.fresh import signed_in_at
from tests.helpers.league.pages import html

PASSWORD = "a dealer names the game"
NEW = "the next game is another one"


def somebody(name: str = "ann", **told: Any) -> User:
    return User.objects.create_user(name, password=PASSWORD, **told)


def sign_in(name: str = "ann", password: str = PASSWORD, **headers: Any) -> Client:
    """Return a browser in which the user has signed in on the sign-in page."""
    client = Client(headers=headers)
    answer = client.post("/sign-in", {"username": name, "password": password})
    assert answer.status_code == 302, answer.content
    return client


def gets_in(name: str, password: str) -> bool:
    client = Client()
    client.post("/sign-in", {"username": name, "password": password})
    return "_auth_user_id" in client.session


def is_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def stale(client: Client, user: User) -> Client:
    """Make the client's sign-in several hours old."""
    signed_in_at(client, user, 0)
    return client


def prove(user: User, email: str) -> EmailAddress:
    return EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)


def noted() -> list[str]:
    return list(LogbookEntry.objects.order_by("pk").values_list("kind", flat=True))


def page_text(answer: HttpResponse) -> str:
    return html(answer)
