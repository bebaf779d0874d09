"""Permission changes appear in the activity log. The cases come from the API and page routers.

A writing route that is missing from these lists fails.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse

from league.audit_log import Kind, logged_actions
from league.models import LogbookEntry, Scope, User, Webhook
from league.pages.urls import urlpatterns as pages
from league.people import api_keys, devices
from tests.helpers.api.clients import ask
from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import player

pytestmark = pytest.mark.django_db

NOTED = {
    ("league", "patch"): Kind.OPTIONS_CHANGED,
    ("season", "patch"): Kind.OPTIONS_CHANGED,
    ("member", "patch"): Kind.ROLE_CHANGED,
    ("member", "delete"): Kind.MEMBER_REMOVED,
    ("sign-out-device", "post"): Kind.PHONE_SIGNED_OUT,
    ("new-code", "post"): Kind.CODE_RENEWED,
    ("join", "post"): Kind.JOINED,
    ("invited", "post"): Kind.JOINED,
    ("invitations", "post"): Kind.INVITED,
    ("end-invitation", "delete"): Kind.INVITATION_ENDED,
    ("let-in", "post"): Kind.JOINED,
    ("turn-away", "post"): Kind.JOIN_REFUSED,
    ("release", "post"): Kind.NAME_RELEASED,
    ("imports", "post"): Kind.IMPORTED,
    ("night-receipt-links", "post"): Kind.RECEIPT_SHARED,
    ("night-receipt-links", "delete"): Kind.RECEIPT_UNSHARED,
    ("hand-links", "post"): Kind.HAND_SHARED,
    ("hand-links", "delete"): Kind.HAND_UNSHARED,
    ("webhooks", "post"): Kind.WEBHOOK_MADE,
    ("webhook", "patch"): Kind.WEBHOOK_CHANGED,
    ("rotate-webhook", "post"): Kind.WEBHOOK_RENEWED,
    ("enable-webhook", "post"): Kind.WEBHOOK_STARTED,
    ("retire-webhook", "post"): Kind.WEBHOOK_RETIRED,
    ("resend-deliveries", "post"): Kind.WEBHOOK_RESENT,
}
# Routes that write rows which store an author and a time themselves: leagues, hands, games, nights,
# chips, payments.
TOLD_ELSEWHERE = {
    *("leagues", "league-nights", "house-games", "house-game", "season-plans", "plan-payments"),
    *("night-hands", "night-batch", "hand-revisions", "hand-void", "undo-hand"),
    *("night-buy-ins", "night-cash-outs", "void-buy-in", "void-cash-out", "night-counts"),
    *("night-charges", "void-charge", "planned-nights", "planned-night"),
    *("night-series", "one-series"),
    *("night-tournaments", "tournament", "tournament-events", "tournament-seats"),
    *("tournament-clock", "tournament-end"),
    *("accept-chips", "decline-chips", "withdraw-chips"),
    *("night-closing", "night-reopen", "confirm", "dispute", "withdraw-payment"),
    *("keep-hand", "accept-conflict", "separate-conflict", "objections", "answer-objection"),
    # rejected here because the body is not a file; its own tests check the log entry
    "read-season",
}
# Routes that do not affect permissions.
OPENS_NOTHING = {"players", "seasons", "night-seats", "retire-game"}
OPENS_NOTHING |= {"leave-notice", "ping-webhook", "resend-delivery", "night-answers"}
STORES_NOTHING = {
    "tournament-deals",
    "night-check",
    "hand-check",
    "what-if",
    "check-closing",
    "check-game",
    "settle",
    "night-sentence",
    "mcp",
}


def test_every_route_that_writes_is_logged_or_exempt() -> None:
    changing = {(name, method) for name, method in RULES if method != "get"}
    others = TOLD_ELSEWHERE | OPENS_NOTHING | STORES_NOTHING
    assert {(name, method) for name, method in changing if name not in others} == set(NOTED)


def prepared(world: World, name: str) -> None:
    """Create the object that the route removes or ends, in this test's transaction."""
    if name not in {"resend-deliveries", "resend-period"}:  # both require an enabled webhook
        Webhook.objects.update(disabled_at=world.night.started_at)
    user = User.objects.create_user("whose-name-is-freed")
    type(world.ann).objects.filter(pk=world.ann.pk).update(user=user)


def latest(world: World) -> tuple[str, bool]:
    done = logged_actions(world.league)[0]
    return done.kind, done.by is not None


@pytest.mark.parametrize(("name", "method"), sorted(NOTED))
def test_api_actions_are_logged_with_the_user(
    name: str, method: str, world: World, doors: dict[str, Client]
) -> None:
    prepared(world, name)
    at = address(world, name)
    if name.endswith("-links") and method == "delete":
        ask(doors["host"], "post", at)
    who = doors["outsider" if name in {"join", "invited"} else "host"]
    answer = ask(who, method, at, bodies(world).get((name, method)))
    assert answer.status_code < 300, answer.content
    assert latest(world) == (NOTED[name, method], True)


def test_token_actions_are_logged_under_the_token_owner(
    world: World, doors: dict[str, Client]
) -> None:
    prepared(world, "retire-webhook")
    ask(doors["manage token"], "post", address(world, "retire-webhook"))
    assert latest(world) == (Kind.WEBHOOK_RETIRED, True)


def test_activity_log_contains_no_secrets_or_user_text(
    world: World, doors: dict[str, Client]
) -> None:
    for name, method in sorted(NOTED):
        with transaction.atomic():
            prepared(world, name)
            body = bodies(world).get((name, method))
            response = ask(doors["host"], method, address(world, name), body)
            entries = str(list(LogbookEntry.objects.values_list("about", flat=True)))
            assert "https://" not in entries
            assert world.league.code not in entries
            secrets = response.json() if response.content else {}
            assert not any(str(secrets.get(key)) in entries for key in ("secret", "token", "code"))
            transaction.set_rollback(True)


# The log entry that each page's form writes, keyed by URL name.
PAGES = {
    "options": Kind.OPTIONS_CHANGED,
    "edit-chip-set": Kind.OPTIONS_CHANGED,
    "season-scoring": Kind.OPTIONS_CHANGED,
    "new-code": Kind.CODE_RENEWED,
    "sign-phone-out": Kind.PHONE_SIGNED_OUT,
    "pick-name": Kind.JOINED,
    "invitation": Kind.JOINED,
    "invite": Kind.INVITED,
    "end-invitation": Kind.INVITATION_ENDED,
    "let-in": Kind.JOINED,
    "turn-away": Kind.JOIN_REFUSED,
    "release": Kind.NAME_RELEASED,
    "change-role": Kind.ROLE_CHANGED,
    "make-token": Kind.TOKEN_MADE,
    "end-token": Kind.TOKEN_ENDED,
    "make-link": Kind.LINK_MADE,
    "end-link": Kind.LINK_ENDED,
    "share-receipt": Kind.RECEIPT_SHARED,
    "unshare-receipt": Kind.RECEIPT_UNSHARED,
    "share-answers": Kind.ANSWERS_SHARED,
    "unshare-answers": Kind.ANSWERS_UNSHARED,
    "share-screen": Kind.SCREEN_SHARED,
    "unshare-screen": Kind.SCREEN_UNSHARED,
    "share-replay": Kind.HAND_SHARED,
    "unshare-replay": Kind.HAND_UNSHARED,
    "chat": Kind.CHAT_ADDED,
    "end-chat": Kind.CHAT_ENDED,
    "webhooks": Kind.WEBHOOK_MADE,
    "rotate-webhook": Kind.WEBHOOK_RENEWED,
    "enable": Kind.WEBHOOK_STARTED,
    "retire": Kind.WEBHOOK_RETIRED,
    "resend-period": Kind.WEBHOOK_RESENT,
}
OTHER_NAMES = {"account_login", "account_signup", "account_logout"}
ACCOUNT_PAGES = {
    *("account_change_password", "account_set_password", "account_reset_password"),
    *("account_reset_password_from_key", "password-link", "passwords", "account_email"),
    *("change-username", "payment-methods", "move-payment-method", "remove-payment-method"),
    *("notices", "add-push", "end-push", "renew-push"),
    *("account_confirm_email", "end-session", "end-other-sessions", "account_reauthenticate"),
    *("mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_authenticate"),
    *("mfa_login_webauthn", "mfa_activate_totp", "mfa_deactivate_totp"),
    *(
        "mfa_generate_recovery_codes",
        "mfa_add_webauthn",
        "mfa_edit_webauthn",
        "mfa_remove_webauthn",
    ),
    *("openid_connect_login", "socialaccount_connections", "socialaccount_signup"),
}
OTHER_PAGES = {
    # Hands, games, nights, chips, payments and files have their own rows.
    *(
        "record",
        "record-again",
        "undo-hand",
        "void",
        "keep-hand",
        "take-conflicting-record",
        "deal-apart",
        "object",
        "answer-objection",
    ),
    *(
        "new-league",
        "new-night",
        "buy-in",
        "leave",
        "undo",
        "count",
        "close",
        "reopen",
        "call-off-night",
    ),
    *("add-cost", "pay-prize", "starting-cash", "charge-bet", "undo-charge"),
    *("new-tournament", "change-tournament", "tournament-event", "undo-tournament-event"),
    *("tournament-clock", "tournament-seats", "end-tournament", "reopen-tournament"),
    "call-off-tournament",
    "change-planned-night",
    *("plan-night", "plan-series", "end-series", "cancel-night", "start-planned-night"),
    *("answer-night", "answer-for-other", "answer-by-link"),
    *("accept-chips", "decline-chips", "withdraw-chips"),
    # Notes about a hand in progress, which are deleted when the hand is saved.
    *("deal", "next-stage", "change-deal", "drop-deal", "declare", "declare-again"),
    *("player-state", "own-cards"),
    *("promise", "receive", "confirm", "dispute", "take-back", "settle-season"),
    *("write-house-rule", "write-game", "rewrite-game", "import", "import-job", "take-season"),
    # Forms that do not affect permissions.
    *("star-game", "star-house-game"),
    *(
        "add-player",
        "edit-player",
        "remove-player",
        "seat-guest",
        "take-seat",
        "delete-game",
        "retire-game",
        "resend",
        "looks",
    ),
    *("leave-notice", "test-chat", "send-chat-again"),
    # Forms that store nothing, or whose user has not joined a league yet.
    *("check", "check-again", "check-close", "check-count", "redraw", "redraw-again", "try-game"),
    *(
        "try-game-again",
        "join",
        "wait",
        "sign-up",
        "start-demo",
        "sign-out",
        "own-file",
        "sign-in",
        *OTHER_NAMES,
    ),
    # Log entries about the user's own account are tested in tests/security.
    *ACCOUNT_PAGES,
}
FORMS: dict[str, dict[str, Any]] = {
    "make-token": {"name": "bot", "scope": "read", "days": "30"},
    "make-link": {"name": "sheet"},
    "chat": {"id": str(uuid4()), "address": "https://ntfy.example.org/sundays"},
    "season-scoring": {"scoring": "places", "points": "3 1"},
    "change-role": {"role": "viewer"},
    "invite": {"name": "eve", "role": "player", "days": "7"},
    "resend-period": {"after": "2020-01-01T00:00", "before": "2020-01-02T00:00"},
}


def accepts_forms(client: Client) -> set[str]:
    """Return the URL names of all pages that accept a form, according to OPTIONS."""
    examples = {"int": 1, "uuid": uuid4(), "slug": "x", "string": "x", "base36": "1"}
    names = set()
    for page in pages:
        assert isinstance(page, URLPattern)
        kinds = {key: type(kind).__name__ for key, kind in page.pattern.converters.items()}
        arguments = {
            key: examples[kind.removesuffix("Converter").lower()] for key, kind in kinds.items()
        }
        if "POST" in client.put(reverse(str(page.name), kwargs=arguments)).headers.get("Allow", ""):
            names.add(str(page.name))
    return names


def test_every_page_form_is_logged_or_exempt(world: World) -> None:
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    called = {"act-on-webhook" if each in {"enable", "retire"} else each for each in PAGES}
    assert accepts_forms(client) == called | OTHER_PAGES


def place(world: World, name: str, host: User) -> str:
    """Return a form's URL, with the ids of existing objects."""
    ids = world.ids() | {"device_id": world.more["device_id"], "action": name}
    if name.endswith("-receipt"):
        ids["night_id"] = world.closed.pk
    if name in {"let-in", "turn-away"}:
        ids["request_id"] = world.more["knocking"]
    if name == "invitation":
        ids["token"] = world.more["invitation"]
    if name == "end-token":
        ids["token_id"] = api_keys.make_token(world.league, host, "bot", Scope.READ)[0].id
    if name == "end-link":
        ids["link_id"] = api_keys.make_link(world.league, "sheet", by=host)[0].pk
    route = "act-on-webhook" if name in {"enable", "retire"} else name
    [pattern] = [each for each in pages if isinstance(each, URLPattern) and each.name == route]
    return reverse(route, kwargs={key: ids[key] for key in pattern.pattern.converters})


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_actions_are_logged_with_the_user(name: str, world: World) -> None:
    prepared(world, name)
    host = world.league.created_by
    assert host
    client = Client()
    comes = name in {"pick-name", "invitation"}
    client.force_login(User.objects.create_user("new-here") if comes else host)
    at = place(world, name, host)
    if name.startswith("unshare-"):
        client.post(place(world, name.removeprefix("un"), host))
    client.post(at, FORMS.get(name) or filled(client, at, name, world))
    assert latest(world) == (PAGES[name], True)


def filled(client: Client, at: str, name: str, world: World) -> dict[str, Any]:
    if name in {"pick-name", "invitation"}:
        return {"player": str(player(world.closed, "cat").pk)}
    if name == "webhooks":
        return {
            **bodies(world)["webhooks", "post"],
            "url": "https://hooks.example.org/other",
        }
    if name == "options":
        form = client.get(at).context["form"]
        values = {each.html_name: each.value() for each in form if each.value() is not None}
        return values | {"closing_hour": 4}
    if name == "edit-chip-set":
        return {"value-red": 5, "count-red": 100}
    return {}


def test_releasing_a_player_signs_out_the_phone_and_is_logged(world: World) -> None:
    host = world.league.created_by
    devices.free(player(world.night, "bob"), by=host)
    assert latest(world) == (Kind.PHONE_SIGNED_OUT, True)
