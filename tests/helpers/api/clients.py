"""API clients with different roles."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from api.http.problems import AT, KINDS
from league.models import League, Role
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_user

PROBLEM = "application/problem+json"


def someone() -> Client:
    """Return a client signed in as a user who is not in any league."""
    client = Client()
    client.force_login(a_user())
    return client


def member(league: League, role: Role) -> Client:
    """Return a client signed in as a member of the league with this role."""
    client, user = Client(), a_user()
    add_member(league, user, role)
    client.force_login(user)
    return client


def send(client: Client, address: str, body: Any) -> HttpResponse:
    """Post JSON. A string is sent unchanged."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(address, text, content_type="application/json")


def refusal(response: HttpResponse, status: int) -> dict[str, Any]:
    """Return the problem document of an error response, after checking its format."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == PROBLEM
    problem: dict[str, Any] = json.loads(response.content)
    assert problem["status"] == status
    kind = KINDS[problem["type"].removeprefix(f"{AT}/")]
    assert (kind.status, kind.title) == (status, problem["title"])
    assert problem["detail"]
    return problem


def reported_errors(response: HttpResponse) -> list[tuple[str, str]]:
    """Return the paths and codes of all errors in a 400 response."""
    errors = refusal(response, 400)["errors"]
    assert all(each["text"] for each in errors)
    return [(each["where"], each["code"]) for each in errors]


def ask(client: Client, method: str, address: str, body: Any = None) -> Any:
    """Send a request with any method. A body is sent as JSON."""
    if method == "get":
        return client.get(address)
    return getattr(client, method)(address, body or {}, content_type="application/json")


def turned_away(
    doors: dict[str, Client], method: str, address: str, body: Any = None, *, wrong: str = "viewer"
) -> None:
    """Check that anonymous users get 401, outsiders 404, and members without permission 403."""
    refusal(ask(doors["nobody"], method, address, body), 401)
    refusal(ask(doors["outsider"], method, address, body), 404)
    if wrong:
        refusal(ask(doors[wrong], method, address, body), 403)
