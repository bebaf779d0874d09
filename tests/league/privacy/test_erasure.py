"""Erasing a person removes the name from the whole database and keeps everything else valid."""

import json
import re
from datetime import time, timedelta
from io import StringIO
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import CharField, JSONField, TextField
from django.utils import timezone

from config.data.backups.file_format import tables
from league.closing.close import close_night, reopen_night
from league.common.errors import RefusedError
from league.hands.objections import answer_objection, object_to
from league.house_rules import write_rule
from league.imports import jobs
from league.imports.contents import ImportOptions
from league.integrity.audit import audit
from league.models import (
    Closing,
    Erasure,
    Event,
    ImportJob,
    Night,
    NightAnswer,
    OutgoingMail,
    Player,
    Revision,
    Role,
    User,
)
from league.nights.nights import carry
from league.nights.opening import open_night
from league.people.leagues import add_member
from league.planned_nights.answer_links import give_links
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, upcoming
from league.planned_nights.series import Rhythm, make_series
from league.privacy.erasure import erase_player, erase_user
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.sign_in import password_links
from league.tournaments import making
from league.tournaments.clock import Level
from league.webhooks import management
from ledger import guards
from ledger.balances import balances
from ledger.models import Posting
from tests.helpers.league.all_rows import everywhere
from tests.helpers.league.leagues import a_user, holdem, player, qualifiers
from tests.helpers.league.nights import a_table, closed, dealt
from tests.helpers.league.receiver import a_hook
from tests.helpers.league.tournaments import details

pytestmark = pytest.mark.django_db
NAME = "Anastasia"
RENAMED = """
    Player Revision ConflictingRecord Event Charge Closing PaymentStep Night OutgoingMail
    DeliveryTry IdempotencyRecord RenderedChart Webhook FeedLink Token Invitation Notice
    NightAnswer ChipRequest NightSeries PlannedNight Tournament GameDocument HouseGame
    HouseGameVersion ImportJob Favourite Deal Odds HandFact PlayerTally BettingTally CallTally
    DealerTally ChoiceTally Announcement HouseRule Objection ObjectionAnswer FormerName"""
GOES_WITH_THE_ACCOUNT = """
    User Device JoinRequest Authenticator SocialAccount PaymentMethod PushSubscription
    NoticeChoice"""
# Ids, hashes and amounts, and the names of leagues and seasons.
NO_PERSONS_NAME = """
    Account Book ChatChannel ClosingJob ClosingSignature DealtPlayer DeclareTally Hand ShownCards
    NightAnswerLink HandLink League JournalEntry JournalHead LogbookEntry Luck PaymentPlan Posting
    PushKey ReceiptLink Result ScreenLink Season SigningKey TournamentEvent"""


def an_evening() -> tuple[Night, User]:
    """A closed night with hands, a correction with a reason, an e-mail, an event, a note."""
    night = a_table()
    user = a_user(NAME)
    User.objects.filter(pk=user.pk).update(email="anastasia@example.org", username=NAME)
    user.refresh_from_db()
    add_member(night.league, user, Role.PLAYER)
    ann = player(night, "ann")
    Player.objects.filter(pk=ann.pk).update(name=NAME, user=user)
    first = dealt(night, called(holdem(took={"ann": 20})))
    dealt(night, called(qualifiers()))
    revise_hand(first, uuid4(), called(holdem()), by=user, reason=f"{NAME} had said so")
    dealt(night, called(holdem(carried=carry(night))))
    objection = object_to(first, ann, f"{NAME} won", objection_id=uuid4(), by=user)
    answer_objection(objection, "stands", f"{NAME} folded", by=host(night))
    write_rule(night.league, "misdeal", f"{NAME} deals again.", by=user)
    closed(night)
    OutgoingMail.objects.create(
        key="1", to="anastasia@example.org", subject="Closed", body="hello", due_at=night.started_at
    )
    OutgoingMail.objects.create(
        key="2", to=host(night).email, subject=NAME, body=f"{NAME} lost.", due_at=night.started_at
    )
    jobs.start_import(night.league, NAME, f"{NAME} folds", ImportOptions(), by=host(night))
    _ways_in(user)
    _before_a_night(night, ann, user)
    levels = [Level(600, 25, 50, game=f"{NAME}'s Misery"), Level(300)]
    making.make(open_night(night.league), uuid4(), details(levels=levels), by=user)
    management.retire(a_hook(night.league, f"https://hooks.example.org/{NAME}"), by=user)
    data = {"players": [{"player": str(ann.pk), "name": NAME, "net": 1}]}
    Event.objects.create(league=night.league, kind="hand.settled", data=data)
    return night, user


def _before_a_night(night: Night, ann: Player, user: User) -> None:
    """Create her answers, others' answers that name her, and nights named after her."""
    texts = {"name": f"With {NAME}", "place": f"{NAME}'s house", "note": f"Ask {NAME}"}
    rhythm = Rhythm(starts_on=timezone.now().date() + timedelta(days=1), at=time(20))
    make_series(night.league, uuid4(), rhythm, Details(**texts), by=user)
    planned = upcoming(night.league)[0]
    answer_for(planned, "Zoe", "yes", brings=f"what {NAME} likes")
    NightAnswer.objects.create(planned_night=planned, name=NAME, says="yes", since=timezone.now())
    ann.refresh_from_db()
    answer_for(planned, ann, "yes", brings="crisps")
    give_links(night.league, [ann])


def _ways_in(user: User) -> None:
    """Create an address, a passkey, a linked service, a session and a link, all with the name."""
    EmailAddress.objects.create(user=user, email=f"{NAME}@example.org", verified=True)
    OutgoingMail.objects.create(
        key="3", to=f"{NAME.lower()}@example.org", subject="x", body="", due_at=user.date_joined
    )
    Authenticator.objects.create(user=user, type="webauthn", data={"name": f"{NAME}'s phone"})
    SocialAccount.objects.create(user=user, provider="oidc", uid=NAME)
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session.create()
    told = {"session_key": session.session_key, "user_agent": f"Phone of {NAME}"}
    UserSession.objects.create(user=user, ip="127.0.0.1", **told)
    password_links.make(user, by=None)


def host(night: Night) -> User:
    user = night.league.created_by
    assert user
    User.objects.filter(pk=user.pk).update(email="host@example.org")
    user.refresh_from_db()
    return user


def called(record: dict[str, object]) -> dict[str, object]:
    told: dict[str, object] = json.loads(json.dumps(record).replace('"ann"', f'"{NAME}"'))
    return told


def test_erased_name_is_absent_from_all_tables_and_chips_do_not_change() -> None:
    night, user = an_evening()
    held, sealed = balances(night.league.book), list(Closing.objects.values_list("hash"))
    digests = list(Posting.objects.values_list("digest"))
    assert re.search(NAME, everywhere(), re.IGNORECASE)
    [gone] = erase_user(user, by=None)
    assert [str(each) for each in NightAnswer.objects.all()] == ["Zoe"]
    assert not re.search(NAME, everywhere(), re.IGNORECASE)
    assert not Session.objects.exists()
    assert balances(night.league.book) == held
    assert list(Closing.objects.values_list("hash")) == sealed
    assert list(Posting.objects.values_list("digest")) == digests
    assert audit() == []
    assert gone.name == "Gone 1"
    assert Erasure.objects.get().player == gone


def test_hands_keep_their_results_after_an_erasure() -> None:
    _, user = an_evening()
    before = [revision.answer["net"][NAME] for revision in Revision.objects.order_by("pk")]
    erase_user(user, by=None)
    revisions = list(Revision.objects.order_by("pk"))
    assert [revision.answer["net"]["Gone 1"] for revision in revisions] == before
    assert any("Gone 1 wins" in line for revision in revisions for line in revision.answer["story"])


def test_sealed_rows_are_protected_again_after_an_erasure() -> None:
    _, user = an_evening()
    erase_user(user, by=None)
    assert not any(guards.missing(connection, each) for each in guards.REGISTERED)


def test_name_is_erased_from_the_reason_for_a_closing() -> None:
    """A closing's row is sealed, but its text is stored separately."""
    night, user = an_evening()
    reopen_night(night, by=None)
    close_night(night, uuid4(), by=None, reason=f"as {NAME} wished")
    erase_user(user, by=None)
    assert {each.reason for each in Closing.objects.all()} == {"", "as Gone 1 wished"}
    assert audit() == []


def test_erasing_a_name_that_is_a_rule_word_leaves_the_rules_unchanged() -> None:
    night = a_table()
    Player.objects.filter(pk=player(night, "ann").pk).update(name="high")
    record = json.loads(json.dumps(qualifiers()).replace('"ann"', '"high"'))
    record_hand(night, uuid4(), record, by=None)
    before = Revision.objects.get().answer
    erase_player(player(night, "high"), by=None)
    after = Revision.objects.get().answer
    assert [share["way"] for pot in after["pots"] for share in pot["shares"]] == [
        share["way"] for pot in before["pots"] for share in pot["shares"]
    ]
    assert "Gone 1" in after["net"]
    assert "high" not in after["net"]
    assert audit() == []


def test_longer_names_of_other_players_do_not_change() -> None:
    night = a_table()
    Player.objects.filter(pk=player(night, "bob").pk).update(name="ann lee")
    record = json.loads(json.dumps(holdem()).replace('"bob"', '"ann lee"'))
    record_hand(night, uuid4(), record, by=None)
    erase_player(player(night, "ann"), by=None)
    response = Revision.objects.get()
    assert sorted(response.names) == ["Gone 1", "ann lee"]
    assert not re.search(r"\bann\b(?! lee)", json.dumps(response.answer))


def test_only_host_cannot_be_erased() -> None:
    night, _ = an_evening()
    before = everywhere()
    with pytest.raises(RefusedError):
        erase_user(host(night), by=None)
    assert everywhere().count("\n") == before.count("\n")


def test_commands_list_and_erase_stored_data() -> None:
    night, _user = an_evening()
    out = StringIO()
    call_command("export_person", NAME, stdout=out)
    data = json.loads(out.getvalue())
    assert data["account"]["email"] == "anastasia@example.org"
    ways = data["signing_in"]
    assert ways["emails"][0]["email"] == f"{NAME}@example.org"
    assert ways["passkeys_and_codes"][0]["type"] == "webauthn"
    assert ways["other_services"][0]["uid"] == NAME
    assert ways["sessions"][0]["user_agent"] == f"Phone of {NAME}"
    assert len(ways["password_links"]) == 1
    [mine] = data["players"]
    [said] = mine["answers"]
    assert (said["says"], said["brings"]) == ("yes", "crisps")
    assert (mine["name"], len(mine["hands"]), len(mine["closed"])) == (NAME, 3, 1)
    assert {each["subject"] for each in data["letters"]} >= {"Closed"}
    others = [each.name for each in night.league.players.exclude(name=NAME)]
    assert not any(f'"name": "{name}"' in out.getvalue() for name in others)
    call_command("erase", "--yes", NAME, stdout=out)
    assert NAME not in everywhere()
    for command in ("erase", "export_person"):
        with pytest.raises(CommandError):
            call_command(command, NAME)


def test_command_reports_that_active_webhooks_keep_their_addresses() -> None:
    night, user = an_evening()
    a_hook(night.league, f"https://hooks.example.org/{NAME}/2")
    text = "Tuesday has webhooks in use. Their addresses stay as they are"
    for person in (str(player(night, "bob").pk), user.username):
        out = StringIO()
        call_command("erase", "--yes", person, stdout=out)
        assert out.getvalue().count(text) == 1
    in_use = night.league.webhooks.get(retired_at=None)
    assert in_use.url == f"https://hooks.example.org/{NAME}/2"
    in_use.delete()
    assert not re.search(NAME, everywhere(), re.IGNORECASE)


def test_erasure_covers_every_table_with_text() -> None:
    """A new table with text columns must be handled in `erasing`, and then listed here."""
    worded = {
        model.__name__
        for model in [*tables(), ImportJob]  # waiting imports are not in backups
        if any(
            type(each) in {CharField, TextField, JSONField} and not each.choices
            for each in model._meta.concrete_fields
        )
    }
    assert worded == {*f"{RENAMED} {GOES_WITH_THE_ACCOUNT} {NO_PERSONS_NAME}".split()}


def test_emails_to_another_users_verified_address_are_kept() -> None:
    """An unverified address may belong to someone else."""
    eve, ann = a_user("Eve"), a_user("Ann")
    User.objects.filter(pk=eve.pk).update(email="ann@example.org")
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    OutgoingMail.objects.create(
        key="1", to="ann@example.org", subject="Closed", body="hello", due_at=timezone.now()
    )
    eve.refresh_from_db()
    erase_user(eve, by=None)
    assert OutgoingMail.objects.count() == 1
    ann.refresh_from_db()
    erase_user(ann, by=None)
    assert not OutgoingMail.objects.exists()
