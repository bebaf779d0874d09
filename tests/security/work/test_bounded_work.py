"""Work that grows faster than the input is estimated, and rejected before it starts.

Other expensive work ends only its own process. These tests' documents run in processes with limits,
so no test hangs.
"""

import json
import math
import os
import resource
import subprocess
import sys
import tracemalloc
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from league.common.text import unstorable
from league.games import rules_process
from league.hands.validation import answer_to
from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, preview
from league.imports.planning import plan
from league.models import Hand, HouseGame, Night, Role
from rules import settle
from rules.documents import catalog, documents, modifiers
from rules.documents.toml_text import as_toml
from rules.errors import nearest
from rules.game import workload
from rules.game.game import Game
from tests.helpers.api.clients import member, refusal, send
from tests.helpers.laws.records import record
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.security.bombs import COMMENT, TOO_MUCH, WRONG, Document, game
from tests.helpers.stages import sample

ROOT = Path(__file__).parents[3]
MEMORY, SECONDS = 1 << 30, 20
MIDDLES = TOO_MUCH["17 wild words of one rank"]


@pytest.fixture(autouse=True)
def _as_many_as_needed() -> None:
    """Reset the rate limits, which makes the tests' order irrelevant."""
    cache.clear()


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def rules(*arguments: str, text: str = "") -> str:
    """Return the output of `python -m rules`, run in a process with limits."""
    done = subprocess.run(
        [sys.executable, "-m", "rules", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=3 * SECONDS,
        preexec_fn=limited,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr[-500:]
    return done.stdout


def hand_of(document: Document) -> dict[str, Any]:
    """Return a hand in the game, with aces if the game allows them."""
    deck = (f"{rank}{suit}" for rank in "AKQJT98765432" for suit in "shdc")
    players: list[dict[str, Any]] = [{"name": name, "paid": 5} for name in ("ann", "bob")]
    for player in players:
        for step in document["deal"]:
            number, _, zone = step.partition(" ")
            if zone in {"down", "up"} and number.isdigit():
                player.setdefault(zone, []).extend(islice(deck, int(number)))
    board = [list(islice(deck, len(row.split()))) for row in document.get("board", ())]
    return {"variant": document, "button": 0, "players": players, "board": board}


@pytest.fixture(scope="module")
def errors() -> dict[str, list[dict[str, str]]]:
    """Settle a hand of each document, all in one process. Return the errors by document."""
    expensive = TOO_MUCH | WRONG
    hands = "\n".join(json.dumps(hand_of(document)) for document in expensive.values())
    answers = map(json.loads, rules("settle", text=hands).splitlines())
    return {name: answer["errors"] for name, answer in zip(expensive, answers, strict=True)}


# Documents that are expensive to process


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_expensive_document_is_refused_with_the_reason(
    name: str, errors: dict[str, list[dict[str, str]]]
) -> None:
    [error, *_] = [each for each in errors[name] if "too much work" in each["text"]]
    assert error["where"].startswith("variant")


@pytest.mark.parametrize("name", WRONG)
def test_number_of_errors_reported_per_document_is_limited(
    name: str, errors: dict[str, list[dict[str, str]]]
) -> None:
    faults = [each for each in errors[name] if each["code"] == "bad-game"]
    assert 0 < len(faults) <= workload.MOST_DOCUMENT_PROBLEMS
    assert len(json.dumps(errors[name])) < 100_000


def test_expensive_game_text_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(COMMENT, "utf-8")
    assert "line 5, deal/0" in rules("check", str(path))


def test_expensive_expression_is_reported_with_its_reading_count(
    errors: dict[str, list[dict[str, str]]],
) -> None:
    [reason, *_] = [each["text"] for each in errors["17 wild words of one rank"]]
    assert "too much work: `rank of middle down` 17 times has 131072 readings" in reason


def test_modifiers_are_tried_only_for_a_few_player_counts() -> None:
    """Each modifier needs more cards, so fewer players can play.

    In the past, all player counts were tried.
    """
    wide = game(players=[2, 25], deal=["2 down", "bet", "board a b c", "bet", "board d", "bet",
                "board e", "bet"], board=["a b c d e"], hand=["2 down + 3 board"])  # fmt: skip
    documents._checked.cache_clear()
    changed = modifiers.apply(wide, ["pineapple 5 flop turn river"])
    assert changed["players"] == [2, 2]
    assert documents._checked.cache_info().misses <= 8  # a binary search over 24 numbers


def test_number_of_errors_reported_per_record_is_limited() -> None:
    many = [f"k{number}" for number in range(5_000)]
    wrong = holdem() | dict.fromkeys(many, 1)
    assert len(settle(wrong)["errors"]) == workload.MOST_PROBLEMS + 1
    dealt_badly = [
        {"name": f"p{seat}", "down": ["As"] * 120, "up": [1] * 120} for seat in range(200)
    ]
    answer = settle({"variant": "texas-holdem", "button": 0, "players": dealt_badly})
    assert len(answer["errors"]) <= 2 * workload.MOST_PROBLEMS + 1
    assert len(json.dumps(answer)) < 100_000


MANY = {f"k{number}": 1 for number in range(5_000)}


@pytest.mark.parametrize(
    "many", [{"options": MANY}, {"actions": [], "stakes": MANY}, {"actions": [1] * 5_000}]
)
def test_errors_in_options_stakes_and_actions_are_limited(many: dict[str, Any]) -> None:
    """180,000 options (1.9 MB) used to cause a response of 20 MB."""
    errors = settle(holdem() | many)["errors"]
    assert workload.MOST_PROBLEMS <= len(errors) <= workload.MOST_PROBLEMS + 5


def test_number_of_paths_reported_for_unstorable_values_is_limited() -> None:
    """2 MB of nested infinities used to cause a response of 220 MB and take 1 GB of memory."""
    for bad in (math.inf, "\0"):
        errors = answer_to({"about": {"k" * 600: [bad] * 5_000}})["errors"]
        assert workload.MOST_PROBLEMS <= len(errors) <= 2 * workload.MOST_PROBLEMS


def test_search_for_unstorable_values_takes_constant_memory() -> None:
    """Storing a path for each of a million pending values used to take 400 MB."""
    wide: object = [1] * 100_000
    for _ in range(25):
        wide = {"": wide}
    tracemalloc.start()
    try:
        assert not list(unstorable(wide))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_history_with_too_many_players_times_actions_is_refused() -> None:
    """The page shows every player after every action.

    4,000 actions with 200 players took 6 seconds.
    """
    names = [{"name": f"p{seat}"} for seat in range(200)]
    history = {
        "variant": "texas-holdem",
        "button": 0,
        "players": names,
        "stakes": {"blinds": [1, 2]},
    }
    raises = [f"p{at % 200 + 1} cbr {4 + 2 * at}" for at in range(4_000)]
    [error] = settle(history | {"actions": raises})["errors"]
    assert (error["where"], error["code"]) == ("actions", "wrong-type")
    assert "too much work: 200 players times 4000 actions" in error["text"]


def test_option_value_not_tried_in_advance_is_refused_when_chosen() -> None:
    """Only the ends of a range are tried in advance.

    Other values are checked when they are chosen.
    """
    hidden = game(
        deal=["5 down", "board a b c", "board d", "board e f g"],
        board=["a b c", "d", "e f g"],
        hand=["2 down + 3 row {n}"],
        options={"n": ["1-3"]},
    )
    assert not documents.check(hidden)
    answer = settle(hand_of(hidden) | {"options": {"n": 2}})
    assert {each["code"] for each in answer["errors"]} == {"bad-game"}


# Limits


def played(document: Document, **options: Any) -> Game:
    return documents.game(document, options)


def test_options_that_the_rules_do_not_use_are_not_tried() -> None:
    idle = game(options={f"o{number}": ["a", "b"] for number in range(7)})
    assert not documents.check(idle)
    assert workload.count_ways(workload.named_options(idle)) == 1
    named = game(deal=["5 down", "bet when o1 a", "{o2} down"], options={"o0": ["a", "b"],
                 "o1": ["a", "b"], "o2": ["1-3"]})  # fmt: skip
    assert workload.count_ways(workload.named_options(named)) == 4


def test_readings_of_wild_cards_are_counted() -> None:
    one = game(deal=["3 down", "2 up"], wild=["rank of middle down"])
    assert workload.readings(played(one)) == 2  # an ace can be high or low
    two = game(deal=["7 down"], hand=["5 down"], wild=["rank of middle own", "rank of middle down"])
    assert workload.readings(played(two)) == 16


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("lines", ["a b c", "a  b c"]),
        ("hand", ["5 down", "5 down"]),
        ("wild", ["3", "3"]),
        ("shares", ["one: high", "other: high"]),
    ],
)
def test_duplicate_word_is_reported(key: str, texts: list[str]) -> None:
    board = {"board": ["a b c"], "deal": ["5 down", "board a b c"]} if key == "lines" else {}
    [fault] = documents.check(game(**{**board, key: texts}))
    assert fault.where == f"{key}/1"
    assert "is given 2 times" in fault.text


def test_duplicate_choice_is_reported() -> None:
    twice = game(deal=["{o} down"], options={"o": ["a = 5", "a = 6"]})
    assert [fault.where for fault in documents.check(twice)] == ["options/o/1"]


@pytest.mark.parametrize("slug", sample(catalog.slugs(), 60))
def test_no_catalog_game_comes_near_a_limit(slug: str) -> None:
    document = catalog.document(slug)
    dealt = played(document, **{
        option.name: option.choices[0].word for option in documents.own_options(document)
        if option.asked
    })  # fmt: skip
    ways = workload.count_ways(workload.named_options(document))
    assert ways <= workload.MOST_WAYS / 4
    assert ways * workload.count_measurements(dealt) <= workload.MOST_MEASUREMENTS / 4
    assert len(workload.measures(dealt)) <= workload.MOST_MEASURES / 3
    assert workload.readings(dealt) <= workload.MOST_READINGS / 4


def test_suggestions_for_very_long_words_are_limited() -> None:
    assert nearest("b" * 10**6, ["b" * 40, "b" * 10**6]) == ("b" * 40,)
    assert nearest("nightmaer", catalog.slugs())[0] == "nightmare"


# The rules process


@pytest.fixture
def good() -> dict[str, Any]:
    nightmare = json.dumps(catalog.document("nightmare"))
    return record(Random(1), nightmare)


MAIN = """
import sys
sys.path.insert(0, sys.argv[1])
from rules import limited_process
limited_process.MOST_CPU = {}
limited_process.main()
"""
# Tests each of the two time limits with the other one set high.
LIMITED = {"by the clock": (0.3, 60), "of the processor": (60, 0)}


@pytest.mark.parametrize("limit", LIMITED)
def test_process_with_slow_work_is_replaced(
    limit: str, good: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_process.end_all()
    with monkeypatch.context() as patch:
        seconds, processor = LIMITED[limit]
        patch.setattr(rules_process, "_MAIN", MAIN.format(processor))
        expected = rules_process.settle_many([good])
        [before] = rules_process._pool.idle
        patch.setattr(rules_process, "MOST_SECONDS", seconds)
        with pytest.raises(rules_process.TooMuchWorkError, match="it takes too long"):
            rules_process.settle_many([good] * 8_000)
    assert before.returncode is not None, "it was waited for"
    assert rules_process.settle_many([good]) == expected == [settle(good)]
    [after] = rules_process._pool.idle
    assert after.pid != before.pid


def test_rules_process_is_reused(good: dict[str, Any]) -> None:
    rules_process.settle_many([good])
    [first] = rules_process._pool.idle
    rules_process.read_game(document=good["variant"])
    assert rules_process._pool.idle == [first]


def test_rules_process_that_ended_while_idle_is_replaced(good: dict[str, Any]) -> None:
    rules_process.settle_many([good])
    [first] = rules_process._pool.idle
    first.kill()
    first.wait()
    assert "errors" not in rules_process.settle_many([good])[0]


def test_rules_process_has_no_secrets_in_its_environment(good: dict[str, Any]) -> None:
    rules_process.settle_many([good])
    [process] = rules_process._pool.idle
    known = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    names = {each.partition(b"=")[0].decode() for each in known if each}
    assert names <= {*rules_process._NEEDED, *rules_process._ENVIRONMENT, "LC_CTYPE"}


FORKED = """
import json, os, sys
from league.games import rules_process
good = json.loads(sys.stdin.read())
def answering_process():
    answer = rules_process.settle_many([good])[0]
    return "won" in answer and rules_process._pool.idle[0].pid
mine = answering_process()
child = os.fork()
if not child:
    theirs = answering_process()
    rules_process.end_all()
    os._exit(0 if theirs and theirs != mine else 1)
assert os.waitpid(child, 0)[1] == 0, "a fork has processes of its own"
assert answering_process() == mine, "and leaves those of others alone"
"""


def test_forked_process_starts_its_own_rules_processes(good: dict[str, Any]) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKED],
        input=json.dumps(good),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr


# The limits in the service


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def too_much(response: Any) -> dict[str, Any]:
    """Return the problem document, after checking its error code."""
    problem = refusal(response, 422)
    assert problem["detail"].startswith(("Too much work", "Wild: too much work"))
    assert "`rank of middle down`" in problem["detail"]
    assert any("too much work" in each["text"] for each in problem["errors"])
    return problem


@pytest.mark.django_db
def test_expensive_document_returns_422_and_the_service_continues() -> None:
    client = Client()
    too_much(send(client, "/api/v1/settle", hand_of(MIDDLES)))
    assert send(client, "/api/v1/settle", holdem()).status_code == 200
    for body in ({"document": MIDDLES}, {"text": as_toml(MIDDLES)}):
        assert too_much(send(client, "/api/v1/games/check", body))["errors"]
    response = send(client, "/api/v1/games/check", {"document": catalog.document("nightmare")})
    assert response.json()["errors"] == []


@pytest.mark.django_db
def test_request_under_full_load_is_asked_to_retry(
    night: Night, host: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_process, "MOST_WAIT", 0.01)
    places, written = rules_process._pool.places, as_toml(game())
    for _ in range(rules_process.AT_ONCE):
        places.acquire()
    try:
        later = send(Client(), "/api/v1/settle", hand_of(game()))
        page = host.post(f"/leagues/{night.league.pk}/games/write", {"text": written})
    finally:
        places.release()
        places.release()
    refusal(later, 503)
    assert later.headers["Retry-After"]
    assert "try again in a moment" in page.content.decode()
    assert "5 down" in page.content.decode()


@pytest.mark.django_db
def test_expensive_document_cannot_become_a_house_game(night: Night, host: Client) -> None:
    at = f"/api/v1/leagues/{night.league.pk}/house-games"
    too_much(send(host, at, {"document": MIDDLES}))
    too_much(send(host, at, {"text": as_toml(MIDDLES)}))
    assert not HouseGame.objects.exists()


@pytest.mark.django_db
def test_hand_with_an_expensive_document_is_not_recorded(night: Night, host: Client) -> None:
    at, bomb = f"/api/v1/nights/{night.pk}", hand_of(MIDDLES)
    too_much(send(host, f"{at}/hands", {"id": str(uuid4()), "record": bomb}))
    too_much(send(host, f"{at}/hands/batch", {"hands": [{"id": str(uuid4()), "record": bomb}]}))
    too_much(send(host, f"{at}/check", {"record": bomb}))
    assert not Hand.objects.exists()


@pytest.mark.django_db
def test_editor_reports_an_expensive_document_and_keeps_what_was_typed(
    night: Night, host: Client
) -> None:
    typed = as_toml(MIDDLES)
    for step in ("try", "write"):
        page = host.post(f"/leagues/{night.league.pk}/games/{step}", {"text": typed})
        shown = page.content.decode()
        assert "too much work" in shown
        assert shown.count("rank of middle down") >= 17
    assert not HouseGame.objects.exists()


@pytest.mark.django_db
def test_all_games_in_an_import_share_one_time_limit(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At eight seconds a hand, a thousand slow games used to block a request for minutes."""
    house_record = crossed(a_house_game(night).slug)
    requests: list[Any] = []
    call_rules = rules_process.call_rules
    monkeypatch.setattr(
        rules_process, "call_rules", lambda item: requests.append(item) or call_rules(item)
    )
    strange = [hand_of(game(name=f"x{number}")) for number in range(3)]
    text = "".join(f"{json.dumps(item)}\n" for item in [*strange, house_record])
    options = ImportOptions(add_players=True)
    report = Report()
    for _ in preview(
        night.league, plan(night.league, [Source("a.jsonl", "", text)], options), report
    ):
        pass
    assert (report.recorded, report.refused) == (4, [])
    assert [len(item["records"]) for item in requests] == [3]
