"""Importing a season file into an empty league restores the season with all its chips."""

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.charges.charging import NewCharge, Share, charge
from league.closing.cash_outs import cash_out
from league.closing.close import Decisions, close_night
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, promise, withdraw
from league.closing.standings import standings
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import Charge, Closing, Hand, League, Night, Payment, Revision, Role
from league.nights.buy_ins import buy_in, undo
from league.nights.opening import open_night
from league.people.leagues import make_league
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import rebuild
from league.stats.figures import players
from league.stats.scopes import of_all_time
from ledger.balances import balances
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_night, a_user, holdem, qualifiers
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[League]:
    """A closed night with a corrected hand, a voided hand and a carried pot, and an open night.

    The closed night was corrected again after its closing.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_corrected_league()
        transaction.set_rollback(True)


def a_corrected_league() -> League:
    night = a_night()
    first = record_hand(night, uuid4(), holdem(), by=None).hand
    revise_hand(first, uuid4(), holdem(button=0), by=None, reason="bob did not deal")
    void_hand(record_hand(night, uuid4(), holdem(), by=None).hand, by=None)
    record_hand(night, uuid4(), qualifiers(), by=None)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    void_hand(first, by=None, reason="it was another night's")
    return night.league


@pytest.fixture
def league(shared: League, db: None) -> League:
    return League.objects.get(pk=shared.pk)


def exported(league: League) -> list[str]:
    return list(export_season(league.seasons.get()))


def rows(league: League) -> list[str]:
    """Return the file without its header and signatures, which each import creates again."""
    return [each for each in exported(league) if '"row": "Proof"' not in each][1:]


def test_version_3_season_file_without_proofs_can_be_imported(league: League) -> None:
    head = exported(league)[0].replace('"version": 6', '"version": 3')
    assert rows(read([head, *rows(league)])) == rows(league)


def test_modified_proof_is_refused_on_import(league: League) -> None:
    lines = exported(league)
    signed = next(row for row in lines if '"row": "Proof"' in row)
    for name in ("statement", "signature", "key", "chips", "names"):
        other = json.loads(signed)
        other[name] = other[name][:30] + chr(ord(other[name][30]) ^ 1) + other[name][31:]
        with pytest.raises(RefusedError) as refused:
            read([json.dumps(other) if row is signed else row for row in lines])
        assert {error["code"] for error in refused.value.errors} == {"proof-broken"}
    renamed = [row.replace('"name": "cat"', '"name": "eve"') for row in lines]
    with pytest.raises(RefusedError, match="signed names differ"):
        read(renamed)


def read(lines: list[str]) -> League:
    empty = make_league(a_user(), "Empty")
    import_season(empty, lines)
    return empty


def test_imported_league_has_the_same_balances(league: League) -> None:
    copy = read(exported(league))
    copied = balances(copy.book)
    assert len(copied) == len(balances(league.book))
    assert sorted(copied.values()) == sorted(balances(league.book).values())
    for player in league.players.all():
        key = f"tab:{copy.players.get(name=player.name).pk}"
        assert copied[key] == balances(league.book)[f"tab:{player.pk}"]


def test_imported_league_passes_all_checks(league: League) -> None:
    copy = read(exported(league))
    assert audit(copy) == []
    assert Closing.objects.filter(league=copy).count() == 2


def test_import_keeps_a_season_high_hand_paid_on_another_night(league: League) -> None:
    ann, cat = (league.players.get(name=name) for name in ("ann", "cat"))
    paid = open_night(league, night_id=uuid4(), players=[ann, cat])
    charges = [
        NewCharge(kind="fund", shares={ann: Share(owes=9)}, fund=9, keeper=cat),
        NewCharge(
            kind="season-high-hand",
            title="a flush",
            shares={ann: Share(gets=7)},
            hand=Hand.objects.exclude(night=paid).first(),
            fund=-7,
            keeper=cat,
        ),
    ]
    for wanted in charges:
        charge(paid, wanted, charge_id=uuid4(), by=None)
    copy = read(exported(league))
    assert audit(copy) == []
    made = Charge.objects.get(night__season__league=copy, kind="season-high-hand")
    assert made.hand is not None
    assert made.hand.night_id != made.night_id


def test_imported_season_has_the_same_standings_and_stats(league: League) -> None:
    copy = read(exported(league))
    tables = [
        [(player.name, player.net, player.tab) for player in standings(imported.seasons.get())]
        for imported in (league, copy)
    ]
    assert tables[0] == tables[1]
    for imported in (league, copy):
        rebuild(imported.pk)
    figures = [
        [
            (player.name, player.hands, player.net, player.hours)
            for player in players.players(of_all_time(imported))
        ]
        for imported in (league, copy)
    ]
    assert figures[0] == figures[1]


def test_import_recomputes_identical_answers_for_all_hands(league: League) -> None:
    """The file contains no answers. The import computes them again, including the findings."""
    again = open_night(league, players=league.players.order_by("name"))
    record_hand(again, uuid4(), holdem(carried=7), by=None)  # no player has bought any chips
    answers = [
        [
            (row.answer, row.record, row.depth, row.current, row.voids, row.carried, row.carry)
            for row in Revision.objects.filter(hand__night__season__league=one).order_by(
                "hand__night__number", "hand__number", "number"
            )
        ]
        for one in (league, read(exported(league)))
    ]
    assert answers[0] == answers[1]
    assert any(answer["findings"] for answer, *_ in answers[0])


@pytest.mark.parametrize("mistaken", [False, True])
def test_import_recomputes_the_findings_of_a_correction_after_a_cash_out(*, mistaken: bool) -> None:
    """A cash-out after the hand does not indicate a missing buy-in, unless it was undone."""
    night = a_night(chips=10)
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    bob = night.league.players.get(name="bob")
    buy_in(night, bob, 5, buy_in_id=uuid4(), by=None)
    out = cash_out(night, bob, 5, cash_out_id=uuid4(), by=None)
    if mistaken:
        undo(out, by=None)
    more = [item | {"paid": 20} for item in holdem()["players"]]
    revise_hand(hand, uuid4(), holdem(players=more), by=None)
    findings = [
        Revision.objects.get(hand__night__season__league=one, current=True).answer["findings"]
        for one in (night.league, read(exported(night.league)))
    ]
    assert findings[0] == findings[1]
    assert [item["player"] for item in findings[0]] == (["bob"] if mistaken else [])


def test_imported_season_can_be_exported_and_reimported(league: League) -> None:
    copy = read(exported(league))
    again = read(exported(copy))
    assert rows(again) == rows(copy) == rows(league)
    assert audit(again) == []


def test_import_keeps_a_promise_whose_receipt_was_undone() -> None:
    night, bob, ann = a_night(), a_user("bob"), a_user("ann")
    dealt(night)
    sent = promise(closed(night).plan.payments.get(), uuid4(), 10, by=bob)
    withdraw(confirm(sent, by=ann), by=ann)
    again = read(exported(night.league))
    states = Payment.objects.filter(planned__plan__season__league=again).values_list("state")
    assert sorted(states) == [("promised",), ("withdrawn",)]
    assert audit() == []


def test_error_paths_in_hands_escape_names_as_in_rfc_6901(league: League) -> None:
    lines = exported(league)
    place, row = next(
        (at, json.loads(line)) for at, line in enumerate(lines) if '"row": "Revision"' in line
    )
    row["record"]["took"] = {"b/c": 1}
    lines[place] = json.dumps(row)
    with pytest.raises(RefusedError) as refused:
        import_season(make_league(a_user(), "Empty"), lines)
    assert f"lines/{place + 1}/record/took/b~1c" in {each["where"] for each in refused.value.errors}


def test_season_file_can_only_be_imported_into_an_empty_league(league: League) -> None:
    lines = exported(league)
    with pytest.raises(RefusedError) as refused:
        import_season(league, lines)
    assert refused.value.errors[0]["code"] == "not-empty"
    text = "this league has players and nights and payment plans: import the season into a new"
    assert refused.value.errors[0]["text"] == f"{text} league"


def test_page_of_an_empty_season_plans_no_payments() -> None:
    """An empty plan was stored, and the league could no longer import a season."""
    empty = make_league(a_user(), "Empty")
    season = empty.seasons.get()
    host = member(empty, Role.HOST)
    assert "Plan payments" not in html(host.get(f"/seasons/{season.pk}"))
    settle_season(season, uuid4(), by=None)
    path, file = f"/leagues/{empty.pk}/season-file", SimpleUploadedFile("x.jsonl", b"{}")
    assert "This league has payment plans" in html(host.post(path, {"file": file}, follow=True))


@pytest.mark.parametrize(
    ("line", "code"), [("{}", "unknown-format"), ("a season", "not-json"), ("[", "not-json")]
)
def test_file_in_a_different_format_is_refused_and_changes_nothing(line: str, code: str) -> None:
    empty = make_league(a_user(), "Empty")
    with pytest.raises(RefusedError) as refused:
        import_season(empty, [line])
    assert refused.value.errors[0]["code"] == code
    assert empty.seasons.count() == 1
    assert not Night.objects.filter(season__league=empty).exists()
    assert not Payment.objects.exists()


def test_incomplete_file_is_refused(league: League) -> None:
    lines = exported(league)
    empty = make_league(a_user(), "Empty")
    without = [line for line in lines if '"row": "Posting"' not in line]
    nameless = [line.replace('"position"', '"place"') for line in lines]
    for incomplete, codes in ((without, {"no-posting"}), (nameless, {"missing", "unknown-field"})):
        with pytest.raises(RefusedError) as refused:
            import_season(empty, incomplete)
        assert {each["code"] for each in refused.value.errors} == codes
        assert all(each["where"].startswith("lines/") for each in refused.value.errors)
    assert not empty.players.exists()


# On the pages


def test_host_can_move_a_season_between_leagues_on_the_pages(league: League) -> None:
    season = league.seasons.get()
    sent = member(league, Role.HOST).get(f"/seasons/{season.pk}/file")
    file = b"".join(sent.streaming_content)  # type: ignore[attr-defined]
    assert 'filename="tuesday' in sent["Content-Disposition"]
    empty = make_league(a_user(), "Empty")
    host = member(empty, Role.HOST)
    path = f"/leagues/{empty.pk}/season-file"
    text = html(host.get(f"/seasons/{empty.seasons.get().pk}"))
    assert f'action="{path}"' in text
    response = host.post(path, {"file": SimpleUploadedFile("x.jsonl", b"no season")}, follow=True)
    assert "not a season file" in html(response)
    assert f'action="{path}"' in html(response)
    done = host.post(path, {"file": SimpleUploadedFile("x.jsonl", file)})
    assert done["Location"] == f"/seasons/{empty.seasons.get().pk}"
    assert sorted(balances(empty.book).values()) == sorted(balances(league.book).values())


def test_only_hosts_can_export_or_import_a_season(league: League) -> None:
    for role, status in ((Role.SCOREKEEPER, 403), (Role.VIEWER, 403)):
        client = member(league, role)
        assert client.get(f"/seasons/{league.seasons.get().pk}/file").status_code == status
        assert client.post(f"/leagues/{league.pk}/season-file").status_code == status
    assert someone().get(f"/seasons/{league.seasons.get().pk}/file").status_code == 404
