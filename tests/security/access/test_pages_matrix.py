"""Every page and method is tested for users without access, using the router's routes."""

import pytest
from django.db import transaction
from django.test import Client

from league.models import LogbookEntry, Membership
from tests.helpers.api.sample_league import World
from tests.helpers.security.pages import filled, pages

pytestmark = pytest.mark.django_db

OUT = ("nobody", "signed-out phone", "waiting phone")
# Public pages: sign-in, shared links, and pages that do not belong to a league.
FOR_ANYONE = {
    *(
        "home",
        "start-demo",
        "demo-screen",
        "sign-up",
        "sign-in",
        "sign-out",
        "looks",
        "join",
        "pick-name",
        "invitation",
        "wait",
    ),
    *("receipt-csv", "shared-receipt", "shared-receipt-csv", "shared-receipt-file"),
    "shared-replay",
    *(
        "shared-screen",
        "screen-pulse",
        "shared-replay-picture",
        "service-worker",
        "manifest",
        "offline",
    ),
    *("games", "game", "game-odds"),
    # allauth's sign-in pages
    *("account_login", "account_signup", "account_logout", "account_inactive"),
    *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key"),
    *("account_reset_password_from_key_done", "password-link", "account_confirm_email"),
    *("account_email_verification_sent", "mfa_authenticate", "mfa_login_webauthn"),
    *("openid_connect_login", "openid_connect_callback", "socialaccount_login_cancelled"),
    *("socialaccount_login_error", "socialaccount_signup"),
}
# Pages that are only for hosts.
FOR_HOSTS = {
    *(
        "add-player",
        "edit-player",
        "remove-player",
        "change-role",
        "import",
        "import-job",
        "invite",
        "end-invitation",
        "let-in",
        "turn-away",
    ),
    *(
        "logbook",
        "write-house-rule",
        "edit-chip-set",
        "new-code",
        "options",
        "phones",
        "release",
        "reopen",
        "call-off-night",
        "season-file",
        "season-scoring",
        "settle-season",
    ),
    *(
        "sign-phone-out",
        "take-season",
        "chat",
        "test-chat",
        "end-chat",
        "send-chat-again",
        "webhooks",
        "webhook",
        "rotate-webhook",
    ),
    *(
        "act-on-webhook",
        "resend",
        "resend-period",
        "keep-hand",
        "answer-objection",
        "take-conflicting-record",
        "deal-apart",
    ),
}


@pytest.mark.parametrize("who", OUT)
def test_anonymous_user_is_redirected_to_sign_in(
    who: str, world: World, doors: dict[str, Client]
) -> None:
    before = Membership.objects.count(), LogbookEntry.objects.count()
    for route in pages():
        if route.name in FOR_ANYONE:
            continue
        at = filled(world, route)
        for method in ("get", "post"):
            answer = getattr(doors[who], method)(at)
            sent_away = answer.status_code == 302 and "/sign-in" in answer.headers["Location"]
            assert sent_away or answer.status_code in (401, 404, 405), (route.name, method)
            assert world.league.code not in answer.content.decode(errors="replace")
    assert (Membership.objects.count(), LogbookEntry.objects.count()) == before


@pytest.mark.parametrize("who", ["viewer", "player", "phone", "scorekeeper"])
def test_other_users_cannot_open_host_pages(
    who: str, world: World, doors: dict[str, Client]
) -> None:
    assert {each.name for each in pages()} >= FOR_HOSTS
    for route in (each for each in pages() if each.name in FOR_HOSTS):
        at = filled(world, route)
        for method in ("get", "post"):
            with transaction.atomic():
                answer = getattr(doors[who], method)(at)
                transaction.set_rollback(True)
            # a phone first has to set a password
            asked_who = answer.status_code == 302 and "/account/" in answer.headers["Location"]
            assert asked_who or answer.status_code in (403, 404, 405), (route.name, method)
