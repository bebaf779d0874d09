"""`manage.py verify` checks receipts and season files without a database."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from league.archive.export_season import export_season
from league.closing.close import reopen_night
from league.models import Night
from league.proofs.signing import proof_of
from league.proofs.verification import (
    LONGEST_FILE,
    Proof,
    ProofError,
    as_code,
    as_file,
    fingerprint,
    flaws,
    read_receipt,
    read_statement,
    short,
)
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import a_night
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.tampering import forged_successor, rewrite_past


@pytest.fixture(scope="module")
def files(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: Any) -> Path:
    """Receipts of a night that was closed twice, its season, and a rewritten history of it."""
    from django.db import transaction  # noqa: PLC0415 (settings come first)

    folder: Path = tmp_path_factory.mktemp("receipts")
    with django_db_blocker.unblock(), transaction.atomic():
        night = a_night()
        dealt(night)
        _keep(folder / "first.json", night)
        reopen_night(again(night), by=None)
        _keep(folder / "second.json", night)
        season = night.season
        (folder / "season.jsonl").write_text("\n".join(export_season(season)))
        look_alike = a_night()
        _keep(folder / "look-alike.json", look_alike)
        rewrite_past(night.league, "another reason")
        (folder / "rewritten.jsonl").write_text("\n".join(export_season(season)))
        transaction.set_rollback(True)
    return folder


def _keep(file: Path, night: Night) -> None:
    proof = proof_of(closed(again(night)))
    assert proof
    file.write_text(as_file(proof))


def receipt(files: Path) -> Proof:
    return read_receipt((files / "first.json").read_text())


def verify(*files: Path, key: tuple[str, ...] = ()) -> None:
    call_command("verify", *map(str, files), key=list(key))


def verification_errors(
    capsys: pytest.CaptureFixture[str], *files: Path, **options: Any
) -> list[str]:
    with pytest.raises(SystemExit) as ended:
        verify(*files, **options)
    assert ended.value.code == 1
    return [each for each in capsys.readouterr().out.splitlines() if each.startswith("WRONG")]


def test_signed_receipt_verifies_without_a_database(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the `django_db` mark, a query fails the test."""
    code = files / "code.json"
    code.write_text(as_code(receipt(files)))
    mine = fingerprint(receipt(files).key)
    verify(files / "first.json", files / "second.json", files / "season.jsonl", code, key=(mine,))
    output = capsys.readouterr().out
    assert output.count("closing 1 of") == 3
    assert output.count("closing 2 of") == 2
    assert "(without chips and names)" in output
    assert output.endswith("Everything holds.\n")


# pytest-django creates the database used by `files` only if it collects a marked test.
@pytest.mark.django_db
def test_one_changed_character_in_a_receipt_is_detected(files: Path) -> None:
    whole = asdict(receipt(files))
    for name, text in whole.items():
        for at, letter in enumerate(text):
            spoilt = text[:at] + chr(ord(letter) ^ 1) + text[at + 1 :]
            assert list(flaws(Proof(**whole | {name: spoilt}))), (name, at)


def test_all_errors_in_a_changed_receipt_or_season_are_reported(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = receipt(files)
    bad = files / "bad.json"
    bad.write_text(as_file(replace(good, chips=good.chips + " ", names=good.names + " ")))
    lacking = files / "lacking.jsonl"
    lines = (files / "season.jsonl").read_text().splitlines()
    lacking.write_text("\n".join(line for line in lines if '"row": "Proof"' not in line))
    errors = verification_errors(capsys, bad, lacking, files / "nowhere.json", key=("0" * 32,))
    assert len([error for error in errors if "bad.json" in error]) == 3
    assert "is not the one you trust" in errors[0]
    unsigned = [error for error in errors if error.endswith("has no signature")]
    assert len([error for error in unsigned if "night 1" in error]) == 2
    assert any("No such file" in error for error in errors)


def test_consistent_rows_must_match_the_signature(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in (files / "season.jsonl").read_text().splitlines()]
    for row in rows:
        if row.get("row") == "Night":
            row["chip_value"] += 1
        if row.get("row") == "Plan":
            row["chip_value"] += 1
    other = files / "other.jsonl"
    other.write_text("\n".join(map(json.dumps, rows)))
    errors = verification_errors(capsys, other)
    assert len(errors) == 2
    assert all("signed chips differ from the rows" in error for error in errors)


def test_rewritten_and_resealed_history_does_not_match_an_old_receipt(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify(files / "rewritten.jsonl")
    errors = verification_errors(capsys, files / "first.json", files / "rewritten.jsonl")
    assert "belong to different histories: closing 1 has" in errors[0]
    errors = verification_errors(capsys, files / "second.json", files / "rewritten.jsonl")
    assert "belong to different histories: closing 2 has" in errors[0]


def test_spliced_history_is_refused_without_a_trusted_key(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two genuine closings are followed by a forged one with a different key."""
    history, spliced = (files / "first.json", files / "second.json"), files / "spliced.json"
    true = read_receipt(history[1].read_text())
    spliced.write_text(as_file(forged_successor(true)))
    verify(*history)
    verify(spliced)
    [error] = verification_errors(capsys, *history, spliced)
    assert "are from one league but signed with two keys" in error
    [error] = verification_errors(capsys, *history, spliced, key=(true.key,))
    assert "is not the one you trust" in error


def test_receipt_from_a_lookalike_league_is_detected(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both leagues have the same name, each with its own key and number."""
    verify(files / "look-alike.json")
    output = capsys.readouterr().out
    [error] = verification_errors(capsys, files / "first.json", files / "look-alike.json")
    assert "are from two leagues named" in error
    marks = [
        short(read_statement(read_receipt((files / name).read_text()).statement).league)
        for name in ("first.json", "look-alike.json")
    ]
    assert all(mark in error for mark in marks)
    assert f"league {marks[1]}, " in output


def test_file_is_read_only_up_to_the_maximum_receipt_size(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long, deep = files / "long.json", files / "deep.json"
    long.write_text("{" + " " * LONGEST_FILE + "}")
    deep.write_text("[" * 200_000)
    assert "too long for a receipt" in verification_errors(capsys, long)[0]
    assert "not a JSON object" in verification_errors(capsys, deep)[0]
    assert "too long for a receipt" in verification_errors(capsys, Path("/dev/zero"))[0]


@settings(max_examples=examples(200))
@given(data=st.data())
def test_corrupted_receipt_is_refused_unless_its_content_is_the_same(
    files: Path, data: st.DataObject
) -> None:
    """Any part of the file may be removed, duplicated or inserted."""
    good = receipt(files)
    text = as_file(good)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    into = data.draw(st.text(max_size=5) | st.just(text[start:end] * 2))
    try:
        read = read_receipt(text[:start] + into + text[end:])
    except ProofError:
        return
    if not list(flaws(read)):
        assert (read.statement, read.signature, read.key) == (
            good.statement,
            good.signature,
            good.key,
        )
        assert read.chips in {good.chips, ""}
        assert read.names in {good.names, ""}
