"""Twenty questions about a league, each answered with at most three calls.

The answers are compared with SQL. The league has three seeded nights, and a fourth night that is
closed but not paid.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.closing.close import Decisions, close_night
from league.demo.full_season import play_season
from league.models import League, Role, Scope
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player, make_league
from league.recording.record import record_hand
from ledger.sql import query, uuid_text
from rules import rename_players
from tests.helpers.api.assistants import Conversation, in_process
from tests.helpers.api.sample_league import token_text
from tests.helpers.league.leagues import a_user, holdem
from tests.helpers.league.stats_rows import count_all

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
MOST_CALLS = 3

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def league(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[League]:
    with django_db_blocker.unblock(), transaction.atomic():
        host = a_user()
        made = make_league(host, "Thursdays")
        for name in NAMES:
            add_player(made, name)
        list(play_season(made, 250, seed=7, by=host))
        _unpaid(made)
        count_all(made)
        yield made
        transaction.set_rollback(True)


def _unpaid(league: League) -> None:
    seated = list(league.players.order_by("name")[:2])
    night = open_night(league, players=seated)
    for each in seated:
        buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
    wrongly = holdem(took={"bob": 20})
    for record in (holdem(), wrongly):
        told = rename_players(record, {"ann": "Ann", "bob": "Bob"})
        record_hand(night, uuid4(), told, by=None)
    close_night(night, uuid4(), by=league.created_by, decisions=Decisions(by_hands=True))


@pytest.fixture
def ask(league: League) -> Conversation:
    return Conversation(in_process(token_text(league, Role.VIEWER, Scope.READ)))


Question = Callable[[Any, Any], tuple[Any, Any]]
QUESTIONS: dict[str, Question] = {}
FACTS = " FROM league_handfact f JOIN league_player d ON d.id = f.dealer_id"
RESULTS = (
    " FROM league_result r JOIN league_handfact f ON f.id = r.fact_id"
    " JOIN league_player p ON p.id = r.player_id JOIN league_player d ON d.id = f.dealer_id"
)
# All closings count, because no test reopens nights.
LINES = (
    " FROM league_line l JOIN league_closing c ON c.id = l.closing_id"
    " JOIN league_night n ON n.id = c.night_id JOIN league_player p ON p.id = l.player_id"
    " WHERE c.league_id = %s"
)
NET = "(COALESCE(l.counted, l.stack + l.back) + l.cashed - l.bought + l.put_right + l.bears)"


def question(text: str) -> Callable[[Question], Question]:
    def add(function: Question) -> Question:
        QUESTIONS[text] = function
        return function

    return add


def first(rows: list[tuple[Any, ...]]) -> Any:
    return rows[0][0]


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [uuid_text(UUID(each["id"])) for each in rows]


def keys(rows: list[tuple[Any, ...]]) -> list[str]:
    return [uuid_text(row[0]) if not isinstance(row[0], str) else row[0] for row in rows]


@question("Who leads the season?")
def _leader(ask: Any, sql: Any) -> tuple[Any, Any]:
    leader = ask("standings")["standings"][0]
    rows = sql(f"SELECT p.name, sum({NET})" + LINES + " GROUP BY p.name ORDER BY 2 DESC, 1")
    return (leader["player_name"], leader["net"]), rows[0]


@question("What did Bob win on the last night?")
def _last_night(ask: Any, sql: Any) -> tuple[Any, Any]:
    [night] = ask("nights", player="Bob", page_size=1)["nights"]
    nets = {each["player_name"]: each["net"] for each in night["results"]}
    rows = sql(f"SELECT {NET}" + LINES + " AND p.name = 'Bob' ORDER BY n.started_at DESC")
    return nets["Bob"], first(rows)


@question("How many nights were there, and of how many hands?")
def _nights(ask: Any, sql: Any) -> tuple[Any, Any]:
    response = ask("nights", page_size=50)
    assert response["next_cursor"] is None
    hands = [each["hands"] for each in response["nights"]]
    rows = sql(
        "SELECT count(*) FROM league_hand h JOIN league_night n ON n.id = h.night_id"
        " JOIN league_season s ON s.id = n.season_id WHERE s.league_id = %s AND NOT h.voided"
        " GROUP BY n.id, n.started_at ORDER BY n.started_at DESC"
    )
    return hands, [row[0] for row in rows]


@question("What was everybody's best night?")
def _best_nights(ask: Any, sql: Any) -> tuple[Any, Any]:
    best_nights = {
        each["player_name"]: each["best_night"] for each in ask("standings")["standings"]
    }
    return best_nights, dict(sql(f"SELECT p.name, max({NET})" + LINES + " GROUP BY p.name"))


@question("When did Bob last scoop the game that he scoops most?")
def _last_scoop(ask: Any, sql: Any) -> tuple[Any, Any]:
    scooped = RESULTS + " WHERE f.league_id = %s AND p.name = 'Bob' AND r.scooped"
    game = first(sql("SELECT f.game" + scooped + " GROUP BY f.game ORDER BY count(*) DESC, 1"))
    hands = ask("find_hands", player="Bob", game=game, came="scooped", page_size=1)["hands"]
    rows = sql(
        "SELECT f.hand_id"
        + scooped
        + f" AND f.game = '{game}' ORDER BY f.played_at DESC, f.id DESC"
    )
    return ids(hands), keys(rows[:1])


@question("Which was the biggest pot, and who dealt it?")
def _biggest_pot(ask: Any, sql: Any) -> tuple[Any, Any]:
    [hand] = ask("find_hands", order="biggest-pot", page_size=1)["hands"]
    rows = sql("SELECT f.pot, d.name" + FACTS + " WHERE f.league_id = %s ORDER BY 1 DESC, f.id")
    return (hand["pot"], hand["dealer_name"]), rows[0]


@question("Which games are dealt most?")
def _most_dealt(ask: Any, sql: Any) -> tuple[Any, Any]:
    counts = {
        each["game"]: each["hands"] for each in ask("stats", by="game", page_size=50)["games"]
    }
    return counts, dict(
        sql("SELECT f.game, count(*)" + FACTS + " WHERE f.league_id = %s GROUP BY 1")
    )


@question("Which game does Cat deal most?")
def _dealt_by(ask: Any, sql: Any) -> tuple[Any, Any]:
    games = ask("stats", by="game", dealer="Cat")["games"]
    rows = sql(
        "SELECT count(*)"
        + FACTS
        + " WHERE f.league_id = %s AND d.name = 'Cat' GROUP BY f.game ORDER BY 1 DESC"
    )
    return games[0]["hands"], first(rows)


@question("Who wins most at the game that is dealt most?")
def _best_at(ask: Any, sql: Any) -> tuple[Any, Any]:
    game = ask("stats", by="game")["games"][0]["game"]
    best = ask("stats", by="player-and-game", game=game)["players_and_games"][0]
    rows = sql(
        f"SELECT sum(r.net){RESULTS} WHERE f.league_id = %s AND f.game = '{game}'"
        " GROUP BY p.name ORDER BY 1 DESC"
    )
    return best["net"], first(rows)


@question("Which is Dan's worst game?")
def _worst_game(ask: Any, sql: Any) -> tuple[Any, Any]:
    response = ask("stats", by="player-and-game", player="dan", page_size=50)
    rows = sql(
        f"SELECT sum(r.net){RESULTS} WHERE f.league_id = %s AND p.name = 'Dan'"
        " GROUP BY f.game ORDER BY 1"
    )
    return response["players_and_games"][-1]["net"], first(rows)


@question("How does Ann fare when Eve deals?")
def _when_dealt(ask: Any, sql: Any) -> tuple[Any, Any]:
    dealers = ask("stats", by="dealer", dealer="Eve", player="Ann", page_size=50)["dealers"]
    rows = sql(
        f"SELECT sum(r.net), count(*){RESULTS}"
        " WHERE f.league_id = %s AND p.name = 'Ann' AND d.name = 'Eve'"
    )
    sums = sum(each["net"] for each in dealers), sum(each["hands"] for each in dealers)
    return sums, rows[0]


@question("Who took the most chips off Bob?")
def _taken(ask: Any, sql: Any) -> tuple[Any, Any]:
    flows = ask("stats", by="flow", player="Bob", page_size=50)["flows"]
    chips_by_winner = {
        each["winner_name"]: each["chips"] for each in flows if each["loser_name"] == "Bob"
    }
    pair = (
        "SELECT {}, sum({}t.chips) FROM league_flowtally t"
        " JOIN league_player w ON w.id = t.winner_id JOIN league_player l ON l.id = t.loser_id"
        " WHERE w.league_id = %s AND {} = 'Bob' GROUP BY 1"
    ).format
    off = dict(sql(pair("w.name", "", "l.name")))
    for name, chips in sql(pair("l.name", "-", "w.name")):
        off[name] = off.get(name, 0) + chips
    return chips_by_winner, {name: int(chips) for name, chips in off.items() if chips > 0}


@question("Whose declarations of high are right, and how often?")
def _declared(ask: Any, sql: Any) -> tuple[Any, Any]:
    rows = ask("stats", by="declaration", page_size=50)["declarations"]
    declared = {
        row["player_name"]: (row["hands"], row["right"]) for row in rows if row["way"] == "high"
    }
    right = "sum(CASE WHEN r.was_right THEN 1 ELSE 0 END)"
    plainly = sql(
        f"SELECT p.name, count(*), {right}{RESULTS}"
        " WHERE f.league_id = %s AND r.declared = 'high' GROUP BY 1"
    )
    return declared, {name: (hands, well) for name, hands, well in plainly}


@question("How many hands did Ann win on the last night?")
def _won_that_night(ask: Any, sql: Any) -> tuple[Any, Any]:
    [night] = ask("nights", page_size=1)["nights"]
    hands = ask("find_hands", night=night["id"], player="Ann", came="won", page_size=50)["hands"]
    last = (
        "(SELECT n.id FROM league_night n JOIN league_season s ON s.id = n.season_id"
        " WHERE s.league_id = f.league_id ORDER BY n.started_at DESC LIMIT 1)"
    )
    rows = sql(
        f"SELECT f.hand_id{RESULTS} WHERE f.league_id = %s AND p.name = 'Ann' AND r.net > 0"
        f" AND f.night_id = {last} ORDER BY f.played_at DESC"
    )
    return ids(hands), keys(rows)


@question("What happened in the last hand?")
def _story(ask: Any, sql: Any) -> tuple[Any, Any]:
    [hand] = ask("find_hands", page_size=1)["hands"]
    story = ask("hand", hand=hand["id"])["story"]
    answer = first(
        sql(
            "SELECT r.answer FROM league_revision r JOIN league_handfact f ON f.revision_id = r.id"
            " WHERE f.league_id = %s ORDER BY f.played_at DESC, f.id DESC LIMIT 1"
        )
    )
    return story, (json.loads(answer) if isinstance(answer, str) else answer)["story"]


@question("Who has to pay whom?")
def _open(ask: Any, sql: Any) -> tuple[Any, Any]:
    payments = [
        (payment["payer_name"], payment["payee_name"], payment["open_chips"])
        for payment in ask("balances")["planned_payments"]
    ]
    rows = sql(
        "SELECT a.name, b.name, x.chips FROM league_plannedpayment x"
        " JOIN league_player a ON a.id = x.payer_id JOIN league_player b ON b.id = x.payee_id"
        " WHERE a.league_id = %s AND NOT EXISTS (SELECT 1 FROM league_payment y"
        " WHERE y.planned_id = x.id)"
    )
    return payments, [tuple(row) for row in rows]


@question("Who is owed anything?")
def _tabs(ask: Any, sql: Any) -> tuple[Any, Any]:
    tabs = {each["player_name"]: each["chips"] for each in ask("balances")["tabs"]}
    moved = (
        "SELECT a.key, sum({}t.amount) FROM ledger_transfer t"
        " JOIN ledger_account a ON a.id = t.{}_id JOIN league_league g ON g.book_id = a.book_id"
        " WHERE g.id = %s AND a.kind = 'tab' GROUP BY 1"
    ).format
    held: dict[str, int] = {}
    for key, chips in [*sql(moved("", "credit")), *sql(moved("-", "debit"))]:
        held[key] = held.get(key, 0) + int(chips)
    names = {
        f"tab:{UUID(str(key))}": name
        for key, name in sql("SELECT id, name FROM league_player WHERE league_id = %s")
    }
    return tabs, {names[key]: chips for key, chips in held.items() if chips}


@question("When did the table push the chips wrongly?")
def _mistakes(ask: Any, sql: Any) -> tuple[Any, Any]:
    hands = ask("find_hands", wrong_payout=True, page_size=50)["hands"]
    rows = sql(
        "SELECT f.hand_id"
        + FACTS
        + " WHERE f.league_id = %s AND f.mistaken ORDER BY f.played_at DESC, f.id DESC"
    )
    assert rows
    return ids(hands), keys(rows)


@question("When was Texas Hold'em first dealt?")
def _first_dealt(ask: Any, sql: Any) -> tuple[Any, Any]:
    hands = ask("find_hands", game="Texas Hold'em", order="earliest", page_size=1)["hands"]
    rows = sql(
        "SELECT f.hand_id"
        + FACTS
        + " WHERE f.league_id = %s AND f.game = 'texas-holdem' ORDER BY f.played_at, f.id"
    )
    return ids(hands), keys(rows[:1])


@question("How much money has Fay won?")
def _money(ask: Any, sql: Any) -> tuple[Any, Any]:
    money = {each["player_name"]: each["money"] for each in ask("standings")["standings"]}
    rows = sql(
        f"SELECT n.currency, sum({NET} * n.chip_value)" + LINES + " AND p.name = 'Fay' GROUP BY 1"
    )
    return money["Fay"], [{"amount": int(minor), "currency": currency} for currency, minor in rows]


@question("How is the game played that the league deals most?")
def _rules(ask: Any, sql: Any) -> tuple[Any, Any]:
    game = ask("stats", by="game", page_size=1)["games"][0]["game"]
    response = ask("rules", game=game)
    assert any(section["lines"] for section in response["sections"])
    rows = sql("SELECT slug, max(name) FROM league_gamedocument WHERE %s <> '' GROUP BY slug")
    return response["name"], dict(rows)[game]


@question("Who plays in the league, and for what?")
def _league(ask: Any, sql: Any) -> tuple[Any, Any]:
    response = ask("league")
    rows = sql("SELECT name, currency, chip_value FROM league_league WHERE id = %s")
    names = sql("SELECT name FROM league_player WHERE league_id = %s ORDER BY name")
    said = response["name"], response["currency"], response["chip_value"]
    return (said, [each["name"] for each in response["players"]]), (
        rows[0],
        [row[0] for row in names],
    )


@pytest.mark.parametrize("wording", QUESTIONS)
def test_tool_results_match_sql_queries(wording: str, league: League, ask: Conversation) -> None:
    answer, plainly = QUESTIONS[wording](ask, lambda text: query(text, [uuid_text(league.pk)]))
    assert answer == plainly
    assert answer
    assert 1 <= ask.calls <= MOST_CALLS


def test_at_least_twenty_questions_are_tested() -> None:
    assert len(QUESTIONS) >= 20
