"""A hand's page shows cards, pots, story, findings and revisions, and can undo the hand."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client

from league.closing.chip_count import count, tally
from league.closing.close import Decisions, close_night, reopen_night
from league.models import Hand, Night, Player, Role
from league.nights.nights import stacks
from league.pages.parts.answer_view import view, view_of
from league.people.joining import join
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from rules import settle
from rules.documents import catalog
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import holdem, player, qualifiers
from tests.helpers.league.nights import closed, tabs
from tests.helpers.league.pages import html
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db
CONTRACT = Path(__file__).parents[3] / "vectors" / "contract.jsonl"


@pytest.fixture
def client(night: Night) -> Client:
    return member(night.league, Role.HOST)


def recorded(night: Night, record: dict[str, object]) -> Hand:
    return record_hand(night, uuid4(), record, by=None).hand


def test_hand_shows_its_cards_pots_story_and_findings(client: Client, night: Night) -> None:
    example = json.loads(CONTRACT.read_text().splitlines()[0])["record"]
    page = html(client.get(f"/hands/{recorded(night, example).pk}"))
    for said in ("Omaha-8", "Two rows", "Main pot", "Side pot 1", "ann wins 77", "three queens"):
        assert said in page
    assert "so cat is out of both" in page
    assert "cat owes ann 25." in page
    assert page.count('aria-label="queen of spades"') == 2
    assert 'class="card spade lit"' in page


def test_hand_run_twice_shows_both_boards_and_their_winners(client: Client, night: Night) -> None:
    """pokernews.com, Running It Twice: kings win the first board, queens the second."""
    players = [
        {"name": "ann", "paid": 50, "down": ["As", "Kd"]},
        {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
    ]
    boards = ["2c 8d Kh 9s 8c", "9d 3c 3h Js 7d"]
    runs = [{"board": [board.split()]} for board in boards]
    record = {"variant": "texas-holdem", "button": 0, "players": players, "runs": runs}
    hand = recorded(night, record)
    page = html(client.get(f"/hands/{hand.pk}"))
    assert "ann wins 50, bob wins 50" in page
    assert page.count("<h3>") == 2
    won = "Run 2: bob wins this run&#x27;s part of the pot (50)"
    for words in ("Run 1", "Run 2", "nine of spades", "jack of spades", won):
        assert words in page
    replay = html(client.get(f"/hands/{hand.pk}/replay"))
    for words in ("Run 1: ann takes the pot: 50.", "All players break even.", 'aria-label="Run 2"'):
        assert words in replay
    assert replay.count('data-place="runs/') == 10


def test_runs_name_a_carried_pot_as_the_sentences_do(client: Client, night: Night) -> None:
    """The boxes called it a side pot."""
    players = [
        {"name": "ann", "paid": 50, "down": ["As", "Kd"]},
        {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
        {"name": "cat", "paid": 50, "down": ["2h", "3c"]},
    ]
    runs = [{"board": [board.split()]} for board in ("2c 8d Kh 9s 8c", "9d 3s 3h Js 7d")]
    record = {"variant": "texas-holdem", "button": 0, "players": players, "runs": runs}
    answer = settle(record | {"carried": [{"amount": 33, "for": ["ann", "bob"]}]})
    assert [(pot.title, pot.amount) for pot in view(record, answer, dict).pots] == [
        ("Run 1 · Pot", 75),
        ("Run 1 · Carried pot", 17),
        ("Run 2 · Pot", 75),
        ("Run 2 · Carried pot", 16),
    ]


def test_each_run_highlights_its_own_winning_cards(night: Night) -> None:
    """The cards of the first run used to be highlighted by the hand that won the second."""
    players = [
        {"name": "ann", "paid": 63, "down": ["As", "Ad"]},
        {"name": "cat", "paid": 63, "down": ["Ks", "Kd"]},
    ]
    record = {"variant": "texas-holdem", "button": 0, "players": players}
    runs = [{"board": [["Jd", "Qc"]]}, {"board": [["Kh", "3c"]]}]
    hand = recorded(night, record | {"board": [["2h", "7d", "9s"]], "runs": runs})
    revision = hand.revisions.get()
    boards = view_of(revision).runs
    lit = [
        [f"{card.rank} {card.suit}" for row in rows for card in row if card.lit] for rows in boards
    ]
    assert lit == [["9 spade", "J diamond", "Q club"], ["7 diamond", "9 spade", "K heart"]]


def test_winning_hole_cards_of_a_run_stay_highlighted(night: Night) -> None:
    """ann wins run 1 with A-A. Her best hand is the straight of run 2, which bob beats."""
    players = [
        {"name": "ann", "paid": 50, "down": ["As", "Ad", "6c", "5c"]},
        {"name": "bob", "paid": 50, "down": ["Kc", "Kd", "Qs", "Th"]},
    ]
    runs = [{"board": [["2c", "2d"]]}, {"board": [["9c", "Kh"]]}]
    record = {"variant": "pot-limit-omaha", "button": 0, "players": players, "runs": runs}
    hand = recorded(night, record | {"board": [["8h", "7h", "Js"]]})
    revision = hand.revisions.get()
    verdict = view_of(revision)
    assert [pot.shares[0].winners[0].name for pot in verdict.pots] == ["ann", "bob"]
    _zone, cards = verdict.shown[0].zones[0]
    assert [card.rank for card in cards if card.lit] == ["A", "A"]


def test_list_names_the_hands_of_several_runs_in_the_order_of_the_winners(
    client: Client, night: Night
) -> None:
    """The night's list showed "ann +5, bob +5" above "pair of queens, pair of aces"."""
    players = [
        {"name": "ann", "paid": 50, "down": ["As", "Ad"]},
        {"name": "bob", "paid": 50, "down": ["Qh", "Qc"]},
        {"name": "cat", "paid": 10, "folded": True},
    ]
    boards = ["2c 8d Qs 9s 4c", "9d 3c 5h Js 7d"]
    runs = [{"board": [board.split()]} for board in boards]
    record = {"variant": "texas-holdem", "button": 0, "players": players, "runs": runs}
    recorded(night, record)
    page = html(client.get(f"/nights/{night.pk}/hands"))
    assert page.index("pair of aces") < page.index("three queens")


def test_pots_won_by_the_same_players_are_shown_once(client: Client, night: Night) -> None:
    """A hand from the demo night used to show nine equal side pots. Cat's pot is separate."""
    paid = {"ann": 40, "bob": 10, "dan": 20, "cat": 40}
    down = {"ann": "Ac Ad", "bob": "Kc Kd", "dan": "Qc Qd", "cat": "8c 8d"}
    players = [
        {"name": name, "paid": paid[name], "down": cards.split(), "all_in": True}
        for name, cards in down.items()
    ]
    board = ["2h 7d 9s Jd Qh".split()]
    record = {"variant": "texas-holdem", "button": 0, "players": players, "board": board}
    page = html(client.get(f"/hands/{recorded(night, record).pk}"))
    assert "Main pot and side pots 1\u20131" not in page
    assert page.count("Main pot and side pot 1") == 1
    assert page.count("Side pot 2") == 1


@pytest.mark.parametrize(
    ("played", "lies"),
    [("grids/nightmare", "aligned"), ("grids/stump", "centred"), ("omaha/omaha-8", "centred")],
)
def test_board_is_drawn_the_way_it_is_on_the_table(
    played: str, lies: str, client: Client, night: Night
) -> None:
    """Nightmare is also played by columns, which used to be wrong when its rows were centred."""
    lines = (CONTRACT.parent / f"{played}.jsonl").read_text().splitlines()
    records = [json.loads(item)["record"] for item in lines]
    seated = {"ann", "bob", "cat", "dan"}
    fits = [item for item in records if {p["name"] for p in item["players"]} <= seated]
    hand = recorded(night, next(item for item in fits if "board" in item))
    for at in (f"/hands/{hand.pk}", f"/hands/{hand.pk}/replay"):
        assert f"lain {lies}" in html(client.get(at))


def test_carried_pots_are_shown_in_one_row(client: Client, night: Night) -> None:
    """After a long run of Qualifiers, nine pots used to be named "Side pot 1" to "Side pot 9"."""
    down = {"ann": "Kc Kd Ts 9h 8h", "bob": "Qc Qh Jh 5c 4d", "cat": "Ac Ad 7h 6c 5h"}
    players = [{"name": name, "paid": 10, "down": held.split()} for name, held in down.items()]
    left = [{"amount": 10, "for": ["ann", "cat"]}, {"amount": 10, "for": ["bob", "cat"]}]
    record = qualifiers(players=players, carried=left)
    page = html(client.get(f"/hands/{recorded(night, record).pk}"))
    assert page.count("2 carried pots") == 1
    assert "cat wins the low of the two carried pots (20)" in page
    assert "Side pot" not in page


def test_negative_points_have_a_minus_sign(client: Client, night: Night) -> None:
    """The rules write "-44 points" with a hyphen, where a line could break."""
    dealt = {"ann": "Kh Qd 9h 8d Ah", "bob": "Ks Qc 9s 8c 7c", "cat": "Kd Kc 5h 5s 2d"}
    players = [{"name": name, "paid": 10, "down": down.split()} for name, down in dealt.items()]
    low = {"variant": "red-and-black", "button": 0, "options": {"split": "high-low"}}
    hand = recorded(night, low | {"players": players})
    for at in (f"/hands/{hand.pk}", f"/hands/{hand.pk}/replay"):
        page = html(client.get(at))
        assert "with \u221244 points, ahead of" in page
        assert "-44 points" not in page


def test_recorder_is_shown_by_their_player_name(client: Client, night: Night) -> None:
    """A joined phone has a generated username, which means nothing to players."""
    by = join(night.league, player(night, "bob"))
    hand = record_hand(night, uuid4(), holdem(), by=by).hand
    page = html(client.get(f"/hands/{hand.pk}"))
    assert by.username not in page
    assert "· bob" in page


def test_carried_pot_is_described(client: Client, night: Night) -> None:
    page = html(client.get(f"/hands/{recorded(night, qualifiers()).pk}"))
    assert "20 carried over" in page


def test_result_is_shown_without_cards(client: Client, night: Night) -> None:
    record = {
        "variant": "nightmare",
        "button": 0,
        "depth": "result",
        "players": [{"name": "ann", "paid": 5}, {"name": "bob", "paid": 5}],
        "took": {"bob": 10},
    }
    page = html(client.get(f"/hands/{recorded(night, record).pk}"))
    assert "result only" in page
    assert "bob wins 10" in page


def test_put_and_take_cards_are_shown(client: Client, night: Night) -> None:
    record = {
        "variant": "put-and-take",
        "button": 0,
        "players": [{"name": "ann"}, {"name": "bob", "up": ["Kh", "Kc", "4d", "8s", "Ts"]}],
        "board": [["Ks", "7d", "2h", "9c", "Jd"], ["Kd", "3s", "Qh", "7c", "5d"]],
    }
    page = html(client.get(f"/hands/{recorded(night, record).pk}"))
    assert 'aria-label="king of hearts"' in page


def test_name_that_looks_like_a_script_is_escaped(client: Client, night: Night) -> None:
    name = "<script>alert(1)</script>"
    client.post(f"/leagues/{night.league.pk}/players", {"name": name})
    client.post(f"/nights/{night.pk}/seats", {"player": player(night, name).pk})
    record = holdem()
    record["players"][0]["name"] = name
    for path in (f"/hands/{recorded(night, record).pk}", f"/nights/{night.pk}/record"):
        assert name not in html(client.get(path))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("guts", ["Everyone else is out: ann takes the pot (6).", "bob is out: ann takes"]),
        ("texas-holdem", ["Everyone else folded: ann takes the pot (6).", "bob folded: ann takes"]),
    ],
)
def test_players_who_are_not_in_are_out_and_did_not_fold(
    client: Client, night: Night, game: str, words: list[str]
) -> None:
    for names, text in zip((("ann", "bob", "cat"), ("ann", "bob")), words, strict=True):
        players = [{"name": name, "paid": 2, "folded": name != "ann"} for name in names]
        options = {"legs": "none"} if game == "guts" else {}
        record = {"variant": game, "options": options, "button": 0, "players": players}
        hand = recorded(night, record)
        for address in (f"/hands/{hand.pk}", f"/hands/{hand.pk}/replay", f"/nights/{night.pk}"):
            page = html(client.get(address))
            assert text in page
            assert ("folded: " in page) == (game != "guts")


def test_voiding_a_hand_returns_its_chips(client: Client, night: Night) -> None:
    hand = recorded(night, holdem())
    assert client.post(f"/hands/{hand.pk}/void", {"reason": "misdeal"}).status_code == 302
    assert stacks(night)[player(night, "ann").pk] == 100
    page = html(client.get(f"/hands/{hand.pk}"))
    assert "misdeal" in page
    assert 'class="panel undone"' in page  # the winner is crossed out


@pytest.mark.parametrize("reason", ["r" * 10_000, "\0"])
def test_invalid_reason_is_shown_again(client: Client, night: Night, reason: str) -> None:
    hand = recorded(night, holdem())
    page = client.post(f"/hands/{hand.pk}/void", {"reason": reason})
    assert page.status_code == 400
    assert b'class="error"' in page.content
    assert stacks(night)[player(night, "ann").pk] == 110


def test_anyone_can_list_all_games(client: Client) -> None:
    client.logout()
    page = html(client.get("/games"))
    assert all(f"/games/{slug}" in page for slug in catalog.slugs())


@pytest.mark.parametrize("slug", sample(catalog.slugs(), 20))
def test_anyone_can_read_the_rules(slug: str, client: Client) -> None:
    client.logout()
    rules = client.get(f"/games/{slug}")
    assert rules.status_code == 200
    assert str(catalog.document(slug)["name"]).replace("'", "&#x27;") in html(rules)


def test_rules_are_shown_with_modifiers(client: Client) -> None:
    plain = client.get("/games/omaha-8").content
    assert client.get("/games/omaha-8", {"with": "two-row"}).content != plain
    assert client.get("/games/five-card-21", {"with": "two-row"}).status_code == 404
    assert client.get("/games/no-such-game").status_code == 404


def test_closed_nights_hand_shows_how_a_correction_affects_payments(
    client: Client, night: Night
) -> None:
    """docs/decisions/0005: after a chip count, a correction does not change the payments.

    Without a count, the payments follow the hands.
    """
    hand = recorded(night, holdem())
    path = f"/hands/{hand.pk}"
    assert "The night is closed" not in html(client.get(path))
    closed(night)
    for page in (path, f"{path}/record"):
        assert "was settled by the counted chips" in html(client.get(page))
    assert "The night is closed" not in html(member(night.league, Role.PLAYER).get(path))
    reopen_night(night, by=None)
    for line in tally(night).lines:
        count(night, Player.objects.get(pk=line.player), None, count_id=uuid4(), by=None)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert "A correction changes the payments" in html(client.get(path))


def test_page_shows_how_undoing_a_hand_affects_payments(client: Client, night: Night) -> None:
    hand = recorded(night, holdem())
    path, stay = f"/hands/{hand.pk}", "Payments already made stay."
    assert stay not in html(client.get(path))
    closed(night)
    assert f"or paid to the wrong player. {stay}" in html(client.get(path))
    reopen_night(night, by=None)
    assert f"The night is open again. {stay}" in html(client.get(path))
    closed(night)
    before = tabs(night.league)
    assert before
    void_hand(hand, by=None)
    assert tabs(night.league) == before  # the counted chips decide


def test_sentences_group_thousands(client: Client, night: Night) -> None:
    """Unlike tables, sentences used to have no separators: "Ann wins the pot (2500)"."""
    players = [each | {"paid": 1250} for each in holdem()["players"]]
    page = html(client.get(f"/hands/{recorded(night, holdem(players=players)).pk}"))
    assert "ann wins the pot (2,500)" in page
    assert "ann put in 1,250 but had 100. Is a buy-in missing?" in page
    assert "2500" not in re.sub(r"<[^>]*>", " ", page)  # ids may contain it


def test_tie_break_cards_are_shown(client: Client, night: Night) -> None:
    """A tie-break decided a pot of 28, but its cards were not shown.

    The hand is the first one with a tie-break in tests/vectors/points/five-card-21.jsonl, in which
    both players are over 21.
    """
    tied = {
        "variant": "five-card-21",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 10, "down": ["Kh", "Qd", "4c", "5s", "Ts"]},
            {"name": "bob", "paid": 10, "down": ["9h", "8d", "7d", "5c", "6s"]},
        ],
        "tiebreaks": [
            {"ann": ["2c", "5d", "9h", "Jd", "Ks"], "bob": ["3c", "3d", "4h", "6d", "7s"]}
        ],
    }
    page = html(client.get(f"/hands/{recorded(night, tied).pk}"))
    assert page.count("tie-break</span>") == 2
    for card in ("jack of diamonds", "king of spades", "three of clubs", "seven of spades"):
        assert f'aria-label="{card}' in page
