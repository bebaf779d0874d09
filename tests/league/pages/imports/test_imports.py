"""The page on which a host imports hands from a file shows a preview first."""

from datetime import UTC, datetime
from decimal import Decimal
from html import unescape
from re import DOTALL, findall, search

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config.web.middleware import LARGEST_IMPORT
from league.archive.export_season import export_season
from league.common.errors import RefusedError
from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, record_plan
from league.imports.names import remembered_matches
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import BuyIn, FormerName, Hand, League, Night, Payment, Role, Scope
from league.pages import imports
from league.people.leagues import add_player, make_league
from tests.helpers.api.clients import member, send
from tests.helpers.api.sample_league import with_token
from tests.helpers.league.hand_files import ASTRAY, hand, on
from tests.helpers.league.leagues import a_league, a_night, a_user
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

MANY = f"[1]\n{hand(at=on(1))}\n[two]\n{hand('<eve>', bet=20)}\n[3]\n{hand().replace('NT', 'XX')}"


def at(league: League) -> str:
    return f"/leagues/{league.pk}/import"


def file(text: str, name: str = "may.phhs") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_host_previews_a_file_and_records_it() -> None:
    """Rejections are shown with line and reason before anything is stored."""
    league = a_league()
    host = member(league, Role.HOST)
    asked = {"file": file(MANY), "add_players": "on", "nights": "date"}
    answer = host.post(at(league), asked)
    page = unescape(html(answer))
    assert "Wed 1 May 2024" in page
    assert ">may.phhs</p>" in page
    assert "<span>line 24,</span> <span>hand 3</span>" in page
    # Ann was once shown as down 138,375 dollars on an open night, without any explanation.
    assert "A chip is 0.01 USD here. If the file counts chips, enter 1." in page
    assert "(\u22120.10 USD)" in page
    assert "The nights stay open until you count the chips and close them." in page
    assert "The format's codes are" in page
    assert "New players: ann, bob, <eve>" in page
    assert not Hand.objects.exists()
    carried = search(r'name="text" value="(.*?)" id=', unescape(answer.content.decode()), DOTALL)
    assert carried is not None
    yes = {"text": carried[1], "name": "may.phhs", "add_players": "on", "record": "1"}
    assert "Check the amounts for this value of a chip" in html(host.post(at(league), yes))
    assert not Hand.objects.exists()
    yes["seen"] = "1"
    page = html(host.post(at(league), yes))
    assert "2 hands imported." in page
    assert Hand.objects.count() == 2
    again = html(host.post(at(league), yes))
    assert "Already imported" in again
    assert "2 already recorded" in again
    assert audit(league) == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "Choose a file."),
        ({"file": b""}, "The file is empty"),
        ({"file": b"\xff\xfe"}, "not a text file"),
        ({"file": b"x" * 101}, "The file has more than"),
        ({"text": "x" * 101}, "The file has more than"),
        ({"text": "x"}, "This file can't be imported."),
        ({"text": "{}", "called": "ann"}, "is not a match"),
        ({"text": "{}", "called": "ann=zoe"}, "no player zoe"),
        ({"text": "x", "chip": "0"}, "Enter an amount above 0"),
        ({"text": "x", "chip": "0.0000000001"}, "at most 9 decimal places"),
    ],
)
def test_unreadable_upload_is_reported_next_to_its_field(
    asked: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "LARGEST", 100)
    league = a_league()
    if isinstance(asked.get("file"), bytes):
        asked = {"file": SimpleUploadedFile("a.phh", asked["file"])}  # type: ignore[arg-type]
    answer = member(league, Role.HOST).post(at(league), asked)
    assert answer.status_code == 400
    assert message in unescape(html(answer))


def test_page_and_api_read_files_of_twenty_megabytes() -> None:
    """A file without hands is rejected with one sentence instead of a parser's message."""
    league = a_league()
    text = "Name,Buy-in,Cash-out\n" + f"Ann,20,{'4' * 99_990}\n" * 199
    host = member(league, Role.HOST)
    page = unescape(html(host.post(at(league), {"file": file(text, "sheet.csv")})))
    assert page.count("This file can't be imported. This looks like a spreadsheet") == 1
    client = with_token(league, Role.HOST, Scope.MANAGE)
    address = f"/api/v1/leagues/{league.pk}/imports"
    sent = {"files": [{"name": "sheet.csv", "text": text}], "check": True}
    [refused] = send(client, address, sent).json()["refused"]
    assert refused["code"] == "unknown-format"
    sent["files"] = [{"name": "sheet.csv", "text": text}, {"name": "b", "text": text[:200_000]}]
    answer = send(client, address, sent)
    assert answer.status_code == 413
    assert "Files to import have at most 20 MB" in html(answer)
    answer = host.post(at(league), {"file": file(text + text[:200_000])})
    assert "The file has more than 20 MB. Import a longer history" in html(answer)


@pytest.mark.parametrize("path", ["/leagues/{}/import", "/api/v1/leagues/{}/imports"])
def test_oversized_import_is_refused_with_its_own_message(path: str) -> None:
    league = a_league()
    answer = Client().post(
        path.format(league.pk), b"x", content_type="text/plain", CONTENT_LENGTH=LARGEST_IMPORT + 1
    )
    assert answer.status_code == 413
    assert "Files to import have at most 20 MB" in answer.content.decode()


LEDGER = """\
player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net
Ann,a,2023-06-03T18:00:00Z,2023-06-03T23:00:00Z,100,150,0,50
Bob,b,2023-06-03T18:00:00Z,2023-06-03T22:00:00Z,100,40,0,-60
"""


def asked_on(page: str) -> set[str]:
    """Return the names of the form's questions."""
    names = set(findall(r'<(?:input|select|textarea)[^>]* name="(\w+)"', page))
    return names - {"csrfmiddlewaretoken", "text", "name", "seen"}


def test_form_asks_only_for_options_that_the_file_leaves_open() -> None:
    """The form used to ask nine questions, six of which were only about PokerNow."""
    league = a_league()
    host = member(league, Role.HOST)
    assert asked_on(html(host.get(at(league)))) == {"file"}
    everything = {"file", "close", "settled", "nights", "chip"}
    strangers = {"called", "add_players"}
    of_one_night = everything - {"nights"}
    assert asked_on(html(host.post(at(league), {"file": file(LEDGER, "a.csv")}))) == {
        "file",
        "chip",
        *strangers,
    }
    uneven = {"file": file(LEDGER, "a.csv"), "add_players": "on"}
    page = html(host.post(at(league), uneven))
    assert asked_on(page) == of_one_night | strangers | {"bears"}
    even = {"file": file(LEDGER.replace("40,0,-60", "50,0,-50"), "a.csv"), "add_players": "on"}
    assert asked_on(html(host.post(at(league), even))) == of_one_night | strangers
    phh = {"file": file(MANY), "add_players": "on"}
    assert asked_on(html(host.post(at(league), phh))) == everything | strangers
    add_player(league, "ann")
    add_player(league, "bob")
    known = {"file": file(hand(), "may.phh")}
    assert asked_on(html(host.post(at(league), known))) == everything


def test_preview_of_a_ledger_shows_each_players_net() -> None:
    """It showed the night without an amount, and then asked to check the amounts."""
    league = a_league()
    sent = {"file": file(LEDGER, "a.csv"), "add_players": "on"}
    page = html(member(league, Role.HOST).post(at(league), sent))
    assert "(0.50 USD)" in page
    assert "(\u22120.60 USD)" in page
    assert "0 hands" not in page
    sent |= {"file": file(LEDGER, "a.csv"), "record": "1", "seen": "1"}
    recorded = member(league, Role.HOST).post(at(league), sent)
    assert "Ledger imported." in html(recorded)


def test_ledger_imported_again_is_shown_as_already_imported() -> None:
    """Its preview looked new, and recording it again was announced as an import."""
    league = a_league()
    host = member(league, Role.HOST)
    text = LEDGER.replace(BOB, ",100,50,0,-50")
    for close in ("", "on"):  # the night is open, then closed
        sent = {"add_players": "on", "close": close, "seen": "1"}
        record = sent | {"record": "1"}
        host.post(at(league), record | {"file": file(text, "a.csv")})
        page = html(host.post(at(league), sent | {"file": file(text, "a.csv")}))
        assert "Already imported" in page
        assert "Import ledger" not in page
        assert f'href="/nights/{Night.objects.get().pk}">Sat 3 Jun 2023</a>' in page
        again = html(host.post(at(league), record | {"file": file(text, "a.csv")}, follow=True))
        assert "Already imported." in again
        assert "Ledger imported." not in again
    other = record | {"file": file(text, "a.csv"), "chip": "0.25", "seen": "0.25"}
    page = html(host.post(at(league), other))
    assert "Nothing imported" in page
    assert "This ledger was imported with 1 for a chip, not 0.25: use the same." in page


ANN, BOB = ",100,150,0,50", ",100,40,0,-60"
CENTS = LEDGER.replace(ANN, ",10000,15000,0,5000").replace(BOB, ",10000,4000,0,-6000")
SPLIT = LEDGER.replace(ANN, ",100.50,150.50,0,50")


@pytest.mark.parametrize(
    ("text", "chip_value", "chip", "net", "bought"),
    [
        (LEDGER, 25, "", "12.50 USD", [100, 100]),  # whole numbers are chips
        (LEDGER, 25, "0.25", "50.00 USD", [400, 400]),
        (LEDGER, 200, "2", "50.00 USD", [50, 50]),
        (CENTS, 25, "25", "50.00 USD", [400, 400]),
        (SPLIT, 25, "", "50.00 USD", [400, 402]),  # numbers with decimals are money
    ],
)
def test_host_chooses_what_a_chip_is_in_the_file(
    text: str, chip_value: int, chip: str, net: str, bought: list[int]
) -> None:
    """Dollars became chips of a quarter, and the standings showed a quarter of each net."""
    league = make_league(a_user(), "Tuesday", chip_value=chip_value)
    sent = {"file": file(text, "a.csv"), "chip": chip, "add_players": "on"}
    host = member(league, Role.HOST)
    page = html(host.post(at(league), sent))
    assert f"({net})" in page
    seen = search(r'name="seen" value="([\d.]+)"', page)
    assert seen is not None
    assert Decimal(seen[1]) == Decimal(chip or ("0.25" if text == SPLIT else "1"))
    sent["file"] = file(text, "a.csv")
    host.post(at(league), sent | {"seen": seen[1], "chip": seen[1], "record": "1"})
    assert audit(league) == []
    assert sorted(BuyIn.objects.values_list("chips", flat=True)) == bought


def test_value_suggested_for_one_file_does_not_apply_to_the_next() -> None:
    league = make_league(a_user(), "Tuesday", chip_value=25)
    host = member(league, Role.HOST)
    sent = {"name": "a.csv", "file": file(LEDGER, "b.csv"), "chip": "0.25", "add_players": "on"}
    assert "(12.50 USD)" in html(host.post(at(league), sent | {"seen": "0.25"}))


def test_amount_that_is_not_a_whole_number_of_chips_is_refused() -> None:
    league = make_league(a_user(), "Tuesday", chip_value=25)
    text = LEDGER.replace(",100,150,0,50", ",100.1,150.1,0,50")
    sent = {"file": file(text, "a.csv"), "add_players": "on"}
    page = html(member(league, Role.HOST).post(at(league), sent))
    reason = "Ann: 100.1 is not a whole number of chips, which are 0.25 each in the file"
    assert reason in page
    assert not league.players.exists()


def test_season_settled_long_ago_is_imported_as_paid() -> None:
    league = a_league()
    wishes = {"add_players": "on", "close": "on", "settled": "on"}
    sent = {"file": file(LEDGER, "a.csv"), "record": "1", "seen": "1", "bears": "all"}
    member(league, Role.HOST).post(at(league), sent | wishes)
    assert [payment.state for payment in Payment.objects.all()] == [Payment.State.CONFIRMED]
    assert Night.objects.get().ended_at == datetime(2023, 6, 3, 23, tzinfo=UTC)


def test_only_hosts_can_import() -> None:
    league = a_league()
    keeper = member(league, Role.SCOREKEEPER)
    assert keeper.get(at(league)).status_code == 403
    assert b"/import" not in keeper.get(f"/leagues/{league.pk}").content
    assert Client().get(at(league)).status_code == 302


def test_api_imports_the_same_files_with_a_token() -> None:
    """The API imports the same files as the page, and `check` stores nothing."""
    league = a_league()
    client = with_token(league, Role.HOST, Scope.MANAGE)
    address = f"/api/v1/leagues/{league.pk}/imports"
    upload = {"files": [{"name": "may.phhs", "text": MANY}], "add_players": True}
    body = send(client, address, upload | {"check": True}).json()
    assert (body["recorded"], Hand.objects.count()) == (2, 0)
    assert body["new_players"] == ["ann", "bob", "<eve>"]
    body = send(client, address, upload).json()
    assert (body["recorded"], body["known"], Hand.objects.count()) == (2, 0, 2)
    [refused] = body["refused"]
    assert (refused["line"], refused["hand"], refused["code"]) == (24, "3", "unknown-game")
    assert [night["hands"] for night in body["nights"]] == [1, 1]
    response = send(
        client, address, upload | {"player_names": {"ann": "zoe"}, "add_players": False}
    )
    assert response.status_code == 400
    assert "no player zoe" in html(response)


def test_illegal_actions_are_shown_before_and_after_the_import() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    asked = {"file": file(ASTRAY, "may.phh"), "add_players": "on", "nights": "date"}
    looked = html(host.post(at(league), asked))
    yes = {"text": ASTRAY, "name": "may.phh", "add_players": "on", "seen": "1"}
    yes["record"] = "1"
    recorded = html(host.post(at(league), yes))
    for page in (looked, recorded):
        assert "Line 1: Ann acts out of turn: it is bob&#x27;s turn" in page
        assert "actions/2" not in page
        assert "<code>p1 cc" not in page
    assert Hand.objects.count() == 1


def test_finding_is_shown_with_its_hand_and_without_its_path() -> None:
    """It was shown as "line 166 hand 10 actions/13 p3 cbr 2471", without what became of it."""
    text = hand(at=on(1), stacks=9000, bet=2471).replace("min_bet = 2", "min_bet = 3000")
    sent = {"file": file(f"[1]\n{text}"), "add_players": "on"}
    page = html(member(a_league(), Role.HOST).post(at(League.objects.get()), sent))
    assert "Hand 1: Bob bets 2,471; allowed is 3,002 to 9,000." in page
    assert "These hands are imported as played." in page
    assert "actions/" not in page
    assert "<code>p2 cbr" not in page


def test_preview_lists_each_unknown_player_once() -> None:
    """It listed each hand with each player: 65 lines for 14 hands of 7 players."""
    league = a_league()
    host = member(league, Role.HOST)
    text = f"[1]\n{hand(at=on(1))}\n[2]\n{hand('<eve>', bet=20)}\n[3]\n{hand().replace('NT', 'XX')}"
    page = html(host.post(at(league), {"file": file(text)}))
    assert "3 players are not in this league: ann, bob, &lt;eve&gt;." in page
    assert "Check “Add missing players” or match their names." in page
    assert "has no player" not in page
    assert ">Preview</h2>" in page
    assert "<span>line 24,</span> <span>hand 3</span>" in page
    assert {"called", "add_players"} <= asked_on(page)
    for name in ("ann", "bob"):
        add_player(league, name)
    page = html(host.post(at(league), {"file": file(text), "record": "1", "seen": "1"}))
    assert "1 hand imported." in page
    assert "1 player is not in this league: &lt;eve&gt;." in page
    page = html(host.post(at(league), {"file": file(LEDGER.replace("Ann", "Zoe"), "a.csv")}))
    assert "1 player is not in this league: Zoe." in page


def test_name_that_is_not_possible_must_be_matched() -> None:
    league = a_league()
    sent = {"file": file(LEDGER.replace("Ann", "x" * 200), "a.csv"), "add_players": "on"}
    page = html(member(league, Role.HOST).post(at(league), sent))
    assert "1 player is not in this league: xxx" in page
    assert "Match their names." in page
    assert "Check “Add" not in page


def test_page_shows_unexplained_stacks() -> None:
    """Each player starts both hands with 100 chips, although the first hand moves 10."""
    league = a_league()
    host = member(league, Role.HOST)
    text = f"[1]\n{hand(at=on(1))}\n[2]\n{hand(bet=20, at=on(1))}"
    sent = {"name": "may.phhs", "text": text, "add_players": "on", "close": "on"}
    for record in ({}, {"record": "1", "seen": "1"}):
        page = unescape(html(host.post(at(league), sent | record)))
        assert "Stays open: stacks that don't match the hands and buy-ins: 2" in page
        assert "Bob has 100 chips, 90 expected: 10 more" in page
    assert league.seasons.get().nights.get().state == Night.State.OPEN


def test_season_file_is_refused_with_the_place_to_import_it() -> None:
    """Each of its lines was reported: "There is no such key."."""
    league = a_league()
    text = "".join(export_season(a_night().season))
    page = html(member(league, Role.HOST).post(at(league), {"file": file(text, "s.jsonl")}))
    assert "This is a season file. Import it on the season page of a new league" in page
    assert "There is no such key" not in page


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"called": "nonsense"}, "“nonsense” is not a match. Write: name in file = player."),
        ({"bears": "Zed", "close": "on"}, "The league has no player Zed."),
        ({"bears": "Zed", "close": "on", "add_players": ""}, "The league has no player Zed."),
    ],
)
def test_wrong_option_keeps_the_file_and_the_preview(wrong: dict[str, str], message: str) -> None:
    """The file was lost, and with new players an unknown name for the difference was accepted."""
    league = a_league()
    host = member(league, Role.HOST)
    sent = {"file": file(LEDGER, "a.csv"), "add_players": "on"} | wrong
    for _ in range(2):  # with the file, then with its text
        answer = host.post(at(league), sent | {"record": "1", "seen": "1"})
        page = unescape(html(answer))
        assert answer.status_code == 400
        assert page.count(message) == 1
        assert "2023-06-03" in page or "2 players are not in this league" in page
        assert next(iter(wrong.values())) in page
        assert "Choose the file again." not in page
        sent = {"name": "a.csv", "text": LEDGER, "add_players": "on"} | wrong
    assert not Night.objects.exists()
    sent |= {"bears": "Ann", "close": "on", "called": "", "add_players": "on"}
    assert host.post(at(league), sent).status_code == 200  # the file adds Ann


def test_message_about_an_unknown_file_names_tables_of_past_nights() -> None:
    host = member(a_league(), Role.HOST)
    page = unescape(html(host.post(at(League.objects.get()), {"file": file("hello", "note.txt")})))
    assert "This file can't be imported." in page
    assert "tables of past nights (CSV)." in page


def test_names_matched_in_an_earlier_import_are_filled_in() -> None:
    """Hosts had to match the same names with every file."""
    league = a_league()
    for name in ("Joe", "Bob B"):
        add_player(league, name)
    host, matched = member(league, Role.HOST), ["ann=Joe", "bob=Bob B"]
    first = {"file": file(hand(at=on(1))), "called": "\n".join(matched), "seen": "1"}
    host.post(at(league), first | {"record": "1"})
    text = hand(at=on(2), bet=20)
    preview = html(host.post(at(league), {"file": file(text), "record": "1", "seen": "1"}))
    assert Hand.objects.count() == 1  # the host checks the matches first
    assert "not in this league" not in preview
    called = search(r'<textarea name="called"[^>]*>(.*?)</textarea>', preview, DOTALL)
    assert called is not None
    assert called[1].split() == " ".join(matched).split()
    assert "Names are matched as in earlier imports: ann = Joe, bob = Bob B. Check them." in preview
    removed = html(host.post(at(league), {"text": text, "name": "a.phh", "called": ""}))
    assert "2 players are not in this league: ann, bob." in removed
    sent = {"text": text, "name": "a.phh", "called": "\n".join(matched), "seen": "1", "record": "1"}
    host.post(at(league), sent)
    assert Hand.objects.count() == 2
    assert FormerName.objects.count() == 2
    assert audit(league) == []


def test_name_matched_in_an_open_night_is_taken() -> None:
    """The error used to say that Joe had been called ann, although no player was renamed."""
    league = a_league()
    for name in ("Joe", "bob"):
        add_player(league, name)
    sent = {"text": hand(at=on(1)), "name": "a.phh", "called": "ann=Joe", "seen": "1"}
    member(league, Role.HOST).post(at(league), sent | {"record": "1"})
    with pytest.raises(RefusedError) as refused:
        add_player(league, "ann")
    text = "Joe was called ann in a night that is still open: choose a different name"
    assert [error["text"] for error in refused.value.errors] == [text]


def test_latest_match_of_a_name_is_filled_in() -> None:
    """A match that was changed twice used to come back."""
    league = a_league()
    for name in ("Joe", "Jon", "bob"):
        add_player(league, name)
    host = member(league, Role.HOST)
    for day, meant in enumerate(("Joe", "Jon", "Joe"), start=1):
        text = hand(at=on(day), bet=10 * day)
        sent = {"text": text, "name": "a.phh", "called": f"ann={meant}", "seen": "1", "record": "1"}
        host.post(at(league), sent)
    assert Hand.objects.count() == 3
    assert remembered_matches(league, "ann") == {"ann": "Joe"}


def test_players_own_name_is_not_matched_as_in_an_earlier_import() -> None:
    league = a_league()
    joe, bob = add_player(league, "Joe"), add_player(league, "bob")
    host = member(league, Role.HOST)
    sent = {"file": file(hand(at=on(1))), "called": "ann=Joe", "seen": "1", "close": "on"}
    host.post(at(league), sent | {"record": "1"})
    ann = add_player(league, "ann")
    sent = {"file": file(hand(at=on(2), bet=20)), "record": "1", "seen": "1"}
    host.post(at(league), sent)
    nights = Night.objects.order_by("started_at")
    seated = [set(night.seats.values_list("player", flat=True)) for night in nights]
    assert seated == [{joe.pk, bob.pk}, {ann.pk, bob.pk}]


def test_long_list_of_matches_leaves_names_for_renaming() -> None:
    league = a_league()
    add_player(league, "Joe")
    add_player(league, "bob")
    called = {f"joe {number}": "Joe" for number in range(12)} | {"ann": "Joe"}
    [source] = [Source("a.phh", "", hand(at=on(1)))]
    options, report = ImportOptions(called=called), Report()
    planned = plan(league, [source], options)
    for _done in record_plan(league, planned, report, options=options, by=None):
        pass
    assert FormerName.objects.filter(player__name="Joe").count() == 10
