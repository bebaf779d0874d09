"""The notification page turns kinds of notifications on and off.

Users see only their own phones.
"""

import re

import pytest
from django.test import Client

from league.models import LogbookEntry, Night, PushSubscription, User
from league.notices import messages
from league.notices.queueing import KINDS, Channels, NoticeKind, channels_of
from tests.helpers.league.deals import user_of
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.pages import html
from tests.helpers.league.push_service import PushPhone, live, send_all
from tests.helpers.league.receiver import Receiver

pytestmark = pytest.mark.django_db
PAGE, PHONES = "/account/notices", "/account/notices/phones"


@pytest.fixture
def night() -> Night:
    return a_night()


def signed_in(night: Night, name: str) -> tuple[Client, User]:
    user = user_of(player(night, name))
    client = Client(headers={"user-agent": "Safari/605 iPhone"})
    client.force_login(user)
    return client, user


def switch_on(client: Client, phone: PushPhone) -> None:
    assert client.post(PHONES, phone.form).status_code == 302


def test_phone_can_be_added_notified_and_removed(night: Night, service: Receiver) -> None:
    client, ann = signed_in(night, "ann")
    phone = PushPhone(service, "ann")
    switch_on(client, phone)
    assert "Safari, iPhone" in html(client.get(PAGE))
    messages.notify_to_count(night, by=None)
    send_all()
    assert phone.titles() == ["Count your chips"]
    number = PushSubscription.objects.get().pk
    assert client.post(f"{PHONES}/{number}/end").status_code == 302
    assert live(ann) == 0
    kinds = LogbookEntry.objects.filter(made_by=ann).order_by("pk").values_list("kind", flat=True)
    assert [each for each in kinds if "push" in each] == ["push-added", "push-ended"]
    assert client.post(f"{PHONES}/{number}/end").status_code == 404


def test_phone_added_twice_is_stored_once(night: Night, service: Receiver) -> None:
    client, ann = signed_in(night, "ann")
    phone = PushPhone(service, "ann")
    for _ in range(2):
        switch_on(client, phone)
    assert live(ann) == 1
    assert LogbookEntry.objects.filter(kind="push-added").count() == 1


def test_invalid_subscription_is_refused_with_all_reasons(night: Night, service: Receiver) -> None:
    client, _ = signed_in(night, "ann")
    answer = client.post(PHONES, {"endpoint": "http://10.0.0.1/", "p256dh": "x"})
    assert answer.status_code == 400
    for reason in (
        "10.0.0.1 is not a public internet address",
        "This is not a public key of a browser",
        "This is not a secret of a browser",
    ):
        assert reason in html(answer)
    assert not PushSubscription.objects.exists()


def test_other_users_phones_cannot_be_seen_or_changed(night: Night, service: Receiver) -> None:
    ann, user = signed_in(night, "ann")
    phone = PushPhone(service, "ann")
    switch_on(ann, phone)
    bob, _ = signed_in(night, "bob")
    assert "Safari, iPhone" not in html(bob.get(PAGE))
    number = PushSubscription.objects.get().pk
    assert bob.post(f"{PHONES}/{number}/end").status_code == 404
    assert live(user) == 1
    for client in (ann, bob):
        text = html(client.get(PAGE))
        assert phone.path not in text
        assert phone.address.p256dh not in text


@pytest.mark.parametrize("path", [PAGE, PHONES, f"{PHONES}/1/end"])
def test_anonymous_user_is_redirected_to_sign_in(client: Client, path: str) -> None:
    answer = client.post(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in")


def test_cross_site_forms_are_refused(night: Night) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user_of(player(night, "ann")))
    for path in (PAGE, PHONES, f"{PHONES}/1/end"):
        assert client.post(path).status_code == 403


def test_notification_choices_are_stored_and_shown(night: Night) -> None:
    client, ann = signed_in(night, "ann")
    User.objects.filter(pk=ann.pk).update(email="ann@example.org")
    chosen = {"paid-mail": "on", "deal-next-push": "on", "declare-mail": "on"}
    client.post(PAGE, chosen | {"mails": "1"})
    ways = channels_of(ann)
    assert ways[NoticeKind.PAID] == Channels(push=False, mail=True)
    assert ways[NoticeKind.DEAL_NEXT] == Channels(push=True, mail=False)
    assert ways[NoticeKind.DECLARE] == Channels(push=False, mail=False)
    text = html(client.get(PAGE))
    assert text.count("checked") == 2
    assert all(f'name="{kind}-push"' in text for kind in KINDS)
    assert 'name="declare-mail"' not in text


def test_account_without_an_address_keeps_its_choices_of_e_mails(night: Night) -> None:
    """Its boxes were ticked although no e-mail could be sent."""
    client, ann = signed_in(night, "ann")
    text = html(client.get(PAGE))
    assert "Add an e-mail address" in text
    assert not [name for name in re.findall(r'name="([^"]+)"', text) if name.endswith("-mail")]
    client.post(PAGE, {"paid-push": "on"})
    ways = channels_of(ann)
    assert ways[NoticeKind.NIGHT_CLOSED] == Channels(push=False, mail=True)
    assert ways[NoticeKind.PAID] == Channels(push=True, mail=False)


def test_signing_out_removes_the_phone(night: Night, service: Receiver) -> None:
    client, _ = signed_in(night, "ann")
    phone = PushPhone(service, "ann")
    switch_on(client, phone)
    client.post("/sign-out")
    messages.notify_to_count(night, by=None)
    send_all()
    assert phone.came() == []


def test_phone_stays_subscribed_after_a_password_change(night: Night, service: Receiver) -> None:
    """A password change gives the session a new key."""
    client, ann = signed_in(night, "ann")
    ann.set_password("a pass word of ann")
    ann.save()
    client.force_login(ann)
    phone = PushPhone(service, "ann")
    switch_on(client, phone)
    new = "another pass word of ann"
    told = {"oldpassword": "a pass word of ann", "password1": new, "password2": new}
    client.post("/account/password", told)
    ann.refresh_from_db()
    assert ann.check_password(new)
    messages.notify_to_count(night, by=None)
    send_all()
    assert phone.titles() == ["Count your chips"]


def renewed(client: Client, phone: PushPhone, origin: str = "http://testserver") -> int:
    return client.post(f"{PHONES}/renewal", phone.form, headers={"origin": origin}).status_code


def test_renewed_subscription_replaces_the_old_one(night: Night, service: Receiver) -> None:
    """Queued messages go to the new subscription. The service worker renews it without a form."""
    client, ann = signed_in(night, "ann")
    old, new = PushPhone(service, "ann"), PushPhone(service, "ann-again")
    switch_on(client, old)
    assert client.get(f"{PHONES}/renewal").json()["key"]
    messages.notify_to_count(night, by=None)
    assert renewed(client, new) == 204
    send_all()
    assert (old.titles(), new.titles()) == ([], ["Count your chips"])
    assert live(ann) == 1


def test_session_renews_a_subscription_ended_by_the_push_service(
    night: Night, service: Receiver
) -> None:
    client, ann = signed_in(night, "ann")
    switch_on(client, PushPhone(service, "ann"))
    service.status = 410
    messages.notify_to_count(night, by=None)
    send_all()
    assert live(ann) == 0
    assert renewed(client, PushPhone(service, "ann-again")) == 204
    assert live(ann) == 1


def test_other_sites_and_sessions_cannot_renew_or_restore_a_phone(
    night: Night, service: Receiver
) -> None:
    client, ann = signed_in(night, "ann")
    switch_on(client, PushPhone(service, "ann"))
    new = PushPhone(service, "ann-again")
    for origin in ("https://elsewhere.example.org", "null", ""):
        assert renewed(client, new, origin) == 403
    other, _ = signed_in(night, "bob")
    assert renewed(other, new) == 404
    assert renewed(Client(), new) == 302
    client.post(f"{PHONES}/{PushSubscription.objects.get().pk}/end")
    assert renewed(client, new) == 404
    assert live(ann) == 0
