"""Each closing is signed when it is sealed, and its receipt verifies without the service."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.closing.close import reopen_night
from league.integrity.audit import audit
from league.models import Closing, ClosingSignature, Erasure, EventKind, League, SigningKey, Webhook
from league.people.leagues import make_league
from league.privacy.erasure import erase_player
from league.proofs import signing
from league.proofs.signing import proof_of, sign_after_migrate
from league.proofs.verification import Proof, breaks, fingerprint, flaws, mixed, read_statement
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.tampering import forged_successor, rewrite_past, unguarded

pytestmark = pytest.mark.django_db
OTHER_SECRET = "another secret, as long as one of a service should be at least: 50 letters"


def a_closing() -> Closing:
    night = a_night()
    dealt(night)
    return closed(night)


def proof(closing: Closing) -> Proof:
    signed = proof_of(closing)
    assert signed
    return signed


def codes() -> set[str]:
    return {each.code for each in audit()}


def test_closing_is_signed_including_its_seal_chips_and_names() -> None:
    closing = a_closing()
    signed = proof(closing)
    statement = read_statement(signed.statement)
    assert list(flaws(signed, trusted=[fingerprint(signing.public_key(closing.league))])) == []
    assert (statement.sequence, statement.hash, statement.previous) == (1, closing.hash, "")
    chips, names = json.loads(signed.chips), json.loads(signed.names)
    assert [each["net"] for each in chips["lines"]] == [10, -10, 0, 0]
    assert chips["payments"] == [{"payer": 2, "payee": 1, "chips": 10}]
    assert names["players"] == ["ann", "bob", "cat", "dan"]
    assert not any(name in signed.chips + signed.statement for name in names["players"])
    assert str(closing.league_id) not in signed.statement
    assert audit() == []


def test_closings_form_a_chain_signed_by_one_key() -> None:
    first = a_closing()
    reopen_night(again(first.night), by=None)
    second = closed(again(first.night))
    statements = [
        (str(closing), read_statement(proof(closing).statement)) for closing in (first, second)
    ]
    assert statements[1][1].previous == first.hash
    assert list(breaks(statements)) == []
    assert SigningKey.objects.count() == 1


def test_webhook_includes_the_proof_of_the_closing() -> None:
    night = a_night()
    Webhook.objects.create(
        league=night.league, url="https://example.org", events=[EventKind.NIGHT_CLOSED]
    )
    closing = closed(night)
    [event] = night.league.events.values_list("data", flat=True)
    proof_fields = {name: event[name] for name in ("statement", "signature", "key")}
    assert event["seal"] == closing.hash
    assert list(flaws(Proof(**proof_fields))) == []


def test_new_secret_signs_with_a_new_key_and_the_old_key_stays_valid(
    settings: Settings,
) -> None:
    first = a_closing()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OTHER_SECRET, [settings.SECRET_KEY]
    assert signing.public_key(first.league) == proof(first).key
    settings.SECRET_KEY_FALLBACKS = []
    reopen_night(again(first.night), by=None)
    second = closed(again(first.night))
    assert proof(second).key == signing.public_key(first.league) != proof(first).key
    assert list(flaws(proof(first))) == []
    assert audit() == []


def test_inserted_public_key_is_not_used_for_signing() -> None:
    """Without the secret, the database owner can't make the service sign with a different key."""
    closing = a_closing()
    [ours] = SigningKey.objects.all()
    SigningKey.objects.create(
        public="A" * 43, private=ours.private, made_at="2020-01-01T00:00Z", league=closing.league
    )
    assert signing.public_key(closing.league) == ours.public


def test_each_league_has_a_separate_key() -> None:
    """Otherwise a league with the same name and players could show receipts with the same key."""
    first, second = a_closing(), a_closing()
    assert proof(first).key != proof(second).key
    assert list(flaws(proof(second), trusted=[proof(first).key]))
    assert signing.public_key(second.league) == proof(second).key


def test_league_keeps_using_the_shared_key_that_signed_its_earlier_closings() -> None:
    first = a_closing()
    with unguarded():
        SigningKey.objects.update(league=None)
    reopen_night(again(first.night), by=None)
    assert proof(closed(again(first.night))).key == proof(first).key
    assert proof(a_closing()).key != proof(first).key


def test_receipts_from_a_lookalike_league_or_with_a_different_key_are_detected() -> None:
    """There are two leagues with the same name, and a third closing with a different key."""
    first, other = a_closing(), a_closing()
    League.objects.filter(pk=other.league_id).update(
        name=f" {first.league.name.upper()}\u200b\u202e "
    )
    receipts = [(str(closing.league_id), proof(closing)) for closing in (first, other)]
    [error] = mixed(receipts)
    assert "are from two leagues named" in error
    reopen_night(again(first.night), by=None)
    history = [("true", proof(first)), ("true, too", proof(closed(again(first.night))))]
    assert list(mixed(history)) == []
    forged = forged_successor(history[1][1])
    assert list(flaws(forged)) == []
    spliced = [*history, ("forged", forged)]
    assert (
        list(breaks((name, read_statement(receipt.statement)) for name, receipt in spliced)) == []
    )
    [error] = mixed(spliced)
    assert "true and forged are from one league but signed with two keys" in error
    assert list(mixed(spliced, trusted=[forged.key, proof(first).key])) == []
    elsewhere = forged_successor(history[1][1], league="cd" * 16, names="")
    [error] = mixed([*history, ("without a name", elsewhere)])
    assert error == "without a name follows true, too, which is from another league"


def test_imported_closing_is_signed_as_imported() -> None:
    """The signed statement records the import, since the night was closed on another service."""
    closing = a_closing()
    lines = list(export_season(closing.night.season))
    made_elsewhere = make_league(a_user(), "Elsewhere")
    import_season(made_elsewhere, lines, by=None)
    copy = Closing.objects.get(league=made_elsewhere)
    said, today = read_statement(proof(copy).statement), timezone.now().date().isoformat()
    assert said.imported.startswith(today)
    assert read_statement(proof(closing).statement).imported == ""
    assert list(flaws(proof(copy))) == []
    assert audit() == []
    again_exported = list(export_season(copy.night.season))
    import_season(make_league(a_user(), "Further"), again_exported, by=None)
    with unguarded():
        ClosingSignature.objects.filter(closing=copy).update(imported_at=None)
    assert codes() == {"proof-broken"}


def test_erasure_removes_signed_names_but_not_signed_chips() -> None:
    closing = a_closing()
    before = proof(closing)
    erase_player(player(closing.night, "bob"), by=None)
    after = proof(closing)
    assert (after.chips, after.names) == (before.chips, "")
    assert list(flaws(after)) == []
    assert list(flaws(before)) == []
    assert "bob" not in str(ClosingSignature.objects.values_list())
    assert audit() == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: rows.update(statement="{}"), "proof-broken"),
        (lambda rows: rows.update(signature="A" * 86), "proof-broken"),
        (lambda rows: rows.update(salt="0" * 32), "proof-broken"),
        (lambda rows: rows.update(salt=""), "proof-broken"),
        (lambda rows: rows._raw_delete("default"), "not-signed"),
    ],
)
def test_audit_reports_data_that_does_not_match_the_signature(
    change: Callable[[Any], Any], code: str
) -> None:
    a_closing()
    with unguarded():
        change(ClosingSignature.objects.all())
    assert codes() == {code}
    assert not Erasure.objects.exists()


def test_migration_signs_closings_made_before_signatures_existed() -> None:
    closing = a_closing()
    with unguarded():
        ClosingSignature.objects.all()._raw_delete("default")  # type: ignore[attr-defined]
    assert proof_of(closing) is None
    sign_after_migrate(using="default")
    sign_after_migrate(using="default")
    assert list(flaws(proof(closing))) == []
    assert audit() == []


def test_rewritten_and_resealed_history_passes_an_audit_but_fails_old_receipts() -> None:
    closing = a_closing()
    before = proof(closing)
    rewrite_past(closing.league, "another reason")
    closing.refresh_from_db()
    after = proof(closing)
    assert audit() == []
    assert list(flaws(after)) == []
    statements = [
        (name, read_statement(each.statement)) for name, each in (("old", before), ("new", after))
    ]
    [found] = breaks(statements)
    assert "old and new belong to different histories" in found
