"""`manage.py import` records the hands in files once, with chips, nights and a report."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4, uuid5

import pytest
from django.core.management import CommandError, call_command

from league.integrity.audit import audit
from league.models import BuyIn, Hand, Night, Revision, Role
from league.nights.nights import newest_open, stacks
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from rules.formats import fitting
from rules.formats.files import read_text
from tests.helpers.api.clients import member
from tests.helpers.league.hand_files import ASTRAY, hand, on
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.nights import dealt
from tests.helpers.league.pages import html
from tests.helpers.rules.poker_now import LEDGER, LOG

pytestmark = pytest.mark.django_db


class Importing:
    """Files in a folder, which the command imports into a league."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "spring"
        self.folder.mkdir()
        self.league = a_league()

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name.replace("__", ".")).write_text(text, encoding="utf-8")

    def __call__(self, *options: str) -> tuple[int, str, list[dict[str, Any]]]:
        """Return the exit code, the output and the rejected hands."""
        report, output = self.folder.parent / "report", StringIO()
        league = str(self.league.pk)
        arguments = [str(self.folder), "--league", league, "--report", str(report), *options]
        try:
            call_command("import", *arguments, stdout=output, stderr=StringIO())
            code = 0
        except SystemExit as ended:
            code = int(str(ended.code))
        refused = [json.loads(line) for line in report.read_text().splitlines()]
        return code, output.getvalue(), refused


@pytest.fixture
def importing(tmp_path: Path) -> Importing:
    return Importing(tmp_path)


def test_hands_are_recorded_once_and_grouped_into_nights_by_date(importing: Importing) -> None:
    """Hands before the closing hour belong to the previous day's night.

    Importing the same file again, or the same hand in a different file, changes nothing.
    """
    importing.write(
        a__phh=hand(at=on(1, "21:00:00")),
        b__phhs=f"[1]\n{hand(at=on(2, '03:00:00'), bet=20)}\n[2]\n{hand(at=on(3), bet=30)}",
    )
    code, printed, differences = importing("--add-players")
    assert (code, {each["code"] for each in differences}) == (0, {"stack-differs"})
    assert "3 hands recorded, 0 already recorded, 0 refused" in printed
    nights = Night.objects.order_by("number")
    assert [(night.name, night.hands.count()) for night in nights] == [
        ("2024-05-01", 2),
        ("2024-05-03", 1),
    ]
    first = nights[0]
    assert set(Revision.objects.values_list("depth", flat=True)) == {"full"}
    # Both hands start with 100 chips. The first one does not explain this, but nothing is bought.
    assert stacks(first)[player(first, "ann").pk] == 100 + 10 + 20
    assert stacks(first)[player(first, "bob").pk] == 100 - 10 - 20
    importing.write(c__phh=hand(at=on(1, "21:00:00")))
    assert "0 hands recorded, 4 already recorded" in importing("--add-players")[1]
    assert Night.objects.count() == 2
    assert audit(importing.league) == []


SAME = hand(at=on(1, "21:00:00")) + "hand = 7\n"


@pytest.mark.parametrize(
    ("text", "recorded"),
    [
        (SAME, 0),
        (SAME.replace("hand = 7", "hand = 8"), 1),
        (SAME.replace("21:00:00", "21:00:01"), 1),
        (SAME.replace("day = 1", "day = 2"), 1),
        (f"[1]\n{SAME}\n[2]\n{SAME}", 0),  # the same hand twice
        (f"[1]\n{hand(at=on(1))}\n[2]\n{hand(at=on(1))}", 2),
    ],
)
def test_equal_hands_are_one_hand_if_number_and_time_are_equal(
    importing: Importing, text: str, recorded: int
) -> None:
    """A blind that is stolen twice gives two hands with equal cards, actions and stacks."""
    importing.write(a__phhs=SAME)
    importing("--add-players")
    importing.write(a__phhs=text)
    for expected in (recorded, 0):
        assert f"{expected} hands recorded" in importing("--add-players")[1]
    assert Hand.objects.count() == 1 + recorded


def test_hand_imported_by_an_earlier_version_is_known(importing: Importing) -> None:
    """Earlier versions derived a hand's id from its content alone."""
    importing.write(a__phhs=SAME)
    night = a_night(importing.league)
    [read] = read_text(SAME, ".phhs")
    assert read.record is not None
    hand_id = uuid5(importing.league.pk, f"hand:{fitting.content_hash(read.record)}:1")
    record_hand(night, hand_id, read.record, by=None)
    assert "0 hands recorded, 1 already recorded" in importing()[1]
    importing.write(a__phhs=f"[1]\n{SAME}\n[2]\n{SAME.replace('hand = 7', 'hand = 8')}")
    assert "1 hands recorded, 1 already recorded" in importing()[1]


def exported() -> str:
    """Return the records of all hands, one per line."""
    rows = Revision.objects.filter(current=True).order_by("hand__number")
    return "\n".join(json.dumps(record) for record in rows.values_list("record", flat=True))


def test_exported_hands_are_known_in_their_league(importing: Importing) -> None:
    """A league's own hands, exported as records and imported again, made a second night."""
    night = a_night(importing.league)
    first, second, third = dealt(night), dealt(night), dealt(night, holdem(button=0))
    importing.write(own__jsonl=exported())
    assert "0 hands recorded, 3 already recorded" in importing()[1]
    before = exported()
    revise_hand(third, uuid4(), holdem(button=0, board=[["2h", "7d", "9s", "Jd", "Qs"]]), by=None)
    void_hand(first, by=None, reason="dealt twice")
    for text in (before, exported()):
        importing.write(own__jsonl=text)
        assert "0 hands recorded, 3 already recorded" in importing()[1]
    assert Night.objects.count() == 1
    importing.write(own__jsonl="\n".join([json.dumps(second.revisions.get().record)] * 3))
    assert "1 hands recorded, 2 already recorded" in importing()[1]
    assert "0 hands recorded, 3 already recorded" in importing()[1]
    assert audit(importing.league) == []


def test_hands_imported_with_other_names_and_chips_are_known_as_records(
    importing: Importing,
) -> None:
    importing.write(a__phhs=SAME)
    importing("--add-players", "--map", "ann=Ann B", "--places", "1")
    importing.write(a__phhs="", own__jsonl=exported())
    assert "0 hands recorded, 1 already recorded" in importing("--places", "1")[1]


def test_refused_hand_is_reported_with_its_file_line_and_reason(importing: Importing) -> None:
    """An invalid hand does not prevent other hands from being imported."""
    importing.write(
        many__phhs=f"[1]\n{hand()}\n[two]\n{hand('eve')}\n[3]\n{hand(bet=30).replace('NT', 'XX')}",
        bad__phh="variant = \n",
        lines__jsonl='{"variant": "nightmare"}\n{\n',
    )
    code, printed, refused = importing("--map", "ann=Ann B", "--add-players")
    assert code == 1
    assert "2 hands recorded" in printed
    reported = {
        (Path(refusal["file"]).name, refusal["line"], refusal["code"]) for refusal in refused
    }
    assert {("bad.phh", 1, "not-toml"), ("lines.jsonl", 2, "not-json")} <= reported
    assert ("many.phhs", 21, "unknown-game") in reported
    assert ("lines.jsonl", 1, "missing") in reported
    assert set(importing.league.players.values_list("name", flat=True)) == {"Ann B", "bob", "eve"}
    importing.write(other__phh=hand("stranger"))
    _, _, refused = importing("--map", "ann=ann b")
    assert "unknown-player" in {refusal["code"] for refusal in refused}
    with pytest.raises(CommandError):
        importing("--map", "ann=nobody")


def test_decimal_amounts_become_whole_chips(importing: Importing) -> None:
    """A chip is the smallest unit in the file, or the configured unit."""
    importing.write(
        a__phh=hand(at=on(1)),
        b__phh=hand(at=on(1), small="0.25", big="0.5", stacks="100.50", bet=2),
    )
    assert importing("--add-players", "--places", "0")[2][0]["code"] == "too-fine"
    assert importing("--add-players")[2][0]["code"] == "other-chips"
    night = Night.objects.get()
    assert stacks(night)[player(night, "ann").pk] == 110
    other = a_league()
    importing.league = other
    assert importing("--add-players")[0] == 0
    night = Night.objects.get(season__league=other)
    assert stacks(night)[player(night, "ann").pk] == 100_00 + 10_00 + 2_00
    told = Revision.objects.filter(hand__night=night).order_by("hand__number").values_list("record")
    assert {each["about"]["places"] for (each,) in told} == {2}


def test_log_and_its_ledger_make_a_night_that_can_be_closed(importing: Importing) -> None:
    """PokerNow: buy-ins and final stacks come from the ledger, and hands from the log."""
    at = "2024-01-01T20:00:00Z"
    importing.write(
        log__csv=LOG.replace(",t,", f",{at},").replace("the lights", "The game: the lights"),
        ledger__csv=LEDGER.replace("nobody,,,,x,,,\n", "carl,ccc333,,,60,0,30,-30\n")
        .replace("Al, Jr.", "Al (aaa111)").replace("Bob,", "Bob @ home,")
        .replace("2000,,2500,500", "100,,99,-1").replace("1000,0,0,-1000", "150,0,0,-150")
        .replace("1000,,1500,500", "50,,231,181"),
    )  # fmt: skip
    code, output, refused = importing(
        "--amounts", "units", "--map", "ccc333=Al the other", "--add-players", "--close"
    )
    assert (code, refused) == (0, []), refused
    night = Night.objects.get()
    assert night.state == Night.State.CLOSED
    bought = {str(each.player): each.chips for each in BuyIn.objects.all()}
    assert bought == {"Al (aaa111)": 100, "Bob @ home": 200, "Al the other": 60}
    assert "1 hands recorded" in output
    assert importing("--amounts", "units", "--map", "ccc333=Al the other", "--add-players")[0] == 0
    assert Hand.objects.count() == 1
    assert audit(importing.league) == []


def test_interrupted_import_is_resumed(
    importing: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import that stops between two batches keeps the first and continues with the rest."""
    monkeypatch.setattr("league.imports.grouping.AT_ONCE", 2)
    sections = (f"[{n}]\n{hand(bet=10 + n)}" for n in range(5))
    importing.write(file__phhs="\n".join(sections))
    batches: list[int] = []

    def stops(*args: object) -> None:
        batches.append(1)
        if len(batches) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("league.management.commands.import.show_progress", stops)
        with pytest.raises(KeyboardInterrupt):
            importing("--add-players")
    assert Hand.objects.count() == 4
    assert "1 hands recorded, 4 already recorded" in importing("--add-players")[1]
    assert Night.objects.count() == 1
    assert audit(importing.league) == []


def test_illegal_action_is_reported_with_its_file_and_line(
    importing: Importing,
) -> None:
    """The hand is recorded as it was played, since tables make mistakes."""
    told = f"[1]\n{hand()}\n[2]\n{ASTRAY}finishing_stacks = [90, 110]\n"
    importing.write(a__phhs=told)
    for options in (["--dry-run"], [], []):  # an existing hand is not reported a second time
        code, output, report = importing("--add-players", *options)
        assert code == 0
        if "0 hands" in output:
            assert report == []
            continue
        assert "2 findings in recorded hands." in output
        first, second = (problem for problem in report if problem["code"] != "stack-differs")
        assert first["file"].endswith("a.phhs")
        assert (first["line"], first["hand"], first["where"]) == (11, "2", "actions/2")
        assert (first["action"], first["code"]) == ("p1 cc", "wrong-opener")
        assert (second["where"], second["action"]) == ("finishing_stacks", "")
        assert {problem["recorded"] for problem in report} == {True}
    assert Hand.objects.count() == 2


def test_refused_action_is_quoted_in_the_report(importing: Importing) -> None:
    importing.write(a__phh=hand().replace("p2 cbr 10", "p2 cbr ten"))
    code, _, [refused] = importing("--add-players")
    assert (code, refused["recorded"]) == (1, False)
    assert (refused["where"], refused["action"]) == ("actions/2", "p2 cbr ten")


def test_hands_without_a_date_belong_to_the_day_in_the_name_of_their_file(
    importing: Importing,
) -> None:
    """The night had the date of the import."""
    importing.write(**{"2024-05-03 at Ann's__phh": hand()})
    assert importing("--add-players")[0] == 0
    night = Night.objects.get()
    assert (night.name, f"{night.started_at:%F}") == ("2024-05-03", "2024-05-03")


def test_name_of_a_file_with_a_future_day_is_no_date(importing: Importing) -> None:
    importing.write(**{"2190-05-03__phh": hand()})
    assert importing("--add-players")[0] == 0
    assert Night.objects.get().started_at.year != 2190


def test_imported_night_is_not_presented_as_tonight(importing: Importing) -> None:
    """It stays open until a host closes it, but is over."""
    importing.write(may__phh=hand(at=on(1)))
    importing("--add-players")
    night, league = Night.objects.get(), importing.league
    assert (night.state, night.imported) == (Night.State.OPEN, True)
    assert newest_open(league) is None
    host = member(league, Role.HOST)
    at_home = html(host.get("/"))
    assert "Continue tonight" not in at_home
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Imported night, not closed yet" in page
    assert "Tonight</th>" not in page
    for live in ("Name the game", "Join with a phone", "TV screen"):
        assert live not in page
    assert f"/nights/{night.pk}/close" in page
    tonight = host.get(f"/leagues/{league.pk}/tonight")
    assert tonight.status_code == 200, "there is no redirect to the imported night"
    assert str(night.pk) not in tonight.content.decode()
    of_league = html(host.get(f"/leagues/{league.pk}"))
    assert "imported, not closed" in of_league
    assert "Continue" not in of_league


def test_host_corrects_an_imported_night_before_closing_it(importing: Importing) -> None:
    """The page of an imported night had no forms for what its file lacks or says wrong."""
    importing.write(may__phh=hand(at=on(1)))
    importing("--add-players")
    night = Night.objects.get()
    bought = night.buy_ins.first()
    assert bought is not None
    host = member(importing.league, Role.HOST)
    undone = host.post(f"/nights/{night.pk}/counter/{bought.pk}/undo")
    assert undone.status_code == 302
    page = host.get(f"/nights/{night.pk}").content.decode()
    assert f'href="/nights/{night.pk}/record"' in page
    assert host.get(f"/nights/{night.pk}/record").status_code == 200
    assert f'action="/nights/{night.pk}/buy-ins"' in page
    sent = {"player": bought.player_id, "chips": 70, "key": uuid4()}
    assert host.post(f"/nights/{night.pk}/buy-ins", sent).status_code == 302
    assert night.buy_ins.filter(player=bought.player_id, chips=70).exists()
