"""A full season as a file, and snapshots of all rows for comparison."""

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

from config.data.backups.file_format import tables
from league.archive.export_season import export_season
from league.closing.cash_outs import cash_out
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, dispute, promise, receive, withdraw
from league.games import house_games
from league.hands.objections import Kind, answer_objection, object_to
from league.integrity.row_owners import rows_of
from league.models import League, Night
from league.nights.buy_ins import buy_in, undo
from league.nights.nights import carry
from league.nights.opening import open_night
from league.options import choose, options_of
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.league.house_games import CROSS, crossed
from tests.helpers.league.leagues import holdem, player, qualifiers
from tests.helpers.league.nights import a_table, closed, dealt

Json = dict[str, Any]
Everything = dict[str, dict[Any, tuple[Any, ...]]]


def a_full_season(name: str = "Tuesday") -> League:
    """Create two closed nights and an open one, with hands, chips and payments of every kind."""
    night = a_table(leftover="stays")
    night.league.name = name
    night.league.save(update_fields=["name"])
    league, dan = night.league, player(night, "dan")
    game = house_games.write(league, CROSS, by=None)
    buy_in(night, player(night, "cat"), 30, buy_in_id=uuid4(), by=None, banker=dan)
    undo(buy_in(night, dan, 5, buy_in_id=uuid4(), by=None), by=None)
    cash_out(night, dan, 20, cash_out_id=uuid4(), by=None)
    hand = dealt(night, holdem(took={"bob": 20}))
    void_hand(dealt(night), by=None, reason="never dealt")
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    dealt(night, qualifiers())
    objection = object_to(hand, dan, "I won", objection_id=uuid4(), by=None)
    answer_objection(objection, Kind.STANDS, "bob won", by=None)
    object_to(hand, dan, "I still won", objection_id=uuid4(), by=None)
    first = closed(night, cat=129, bears="ann")
    _paid(first)
    _later(league, night)
    objection = object_to(hand, player(night, "ann"), "bob mucked", objection_id=uuid4(), by=None)
    revise_hand(hand, uuid4(), holdem(), by=None, reason="bob had mucked", objection=objection)
    open_night(league, name="the last one")
    return league


def _paid(closing: Any) -> None:
    planned = closing.plan.payments.first()
    confirm(promise(planned, uuid4(), 1, by=None), by=None)
    dispute(promise(planned, uuid4(), 1, by=None), by=None, note="no")
    withdraw(confirm(promise(planned, uuid4(), 1, by=None), by=None), by=None)


def _later(league: League, night: Night) -> None:
    later = open_night(league, players=[player(night, "ann"), player(night, "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 50, buy_in_id=uuid4(), by=None)
    dealt(later, holdem(carried=carry(later)))
    closed(later)


def a_running_tab(**chosen: Any) -> League:
    """Create a league with a running tab that was settled twice and partly paid."""
    night = a_table(settles="season")
    league = night.league
    if "banker" in chosen:
        chosen["banker"] = player(night, chosen["banker"])
    choose(league, replace(options_of(league), **chosen))
    dealt(night, holdem(took={"bob": 20}))
    closed(night, cat=129, dan=75, bears="ann dan")
    plan = settle_season(league.seasons.get(), uuid4(), by=None)
    settle_season(league.seasons.get(), uuid4(), by=None)
    receive(plan.payments.order_by("position")[0], uuid4(), 3, by=None)
    return league


def file_of(league: League) -> list[Json]:
    """Return the lines of the league's season file."""
    return [json.loads(line) for line in export_season(league.seasons.get())]


def lines_of(rows: list[Json]) -> list[str]:
    return [json.dumps(row) for row in rows]


def everything() -> Everything:
    """Return all rows of all tables, by table and key."""
    return {model.__name__: _rows(model, model._base_manager.all()) for model in tables()}


def of_others(league: League, rows: Everything | None = None) -> Everything:
    """Return all rows except this league's rows. `rows` contains the rows to select from."""
    kept_rows = {name: dict(each) for name, each in (rows or everything()).items()}
    for model in tables():
        if kept_rows[model.__name__]:
            for key in rows_of(model, league.pk).values_list("pk", flat=True):
                del kept_rows[model.__name__][key]
    return kept_rows


def _rows(model: Any, rows: Any) -> dict[Any, tuple[Any, ...]]:
    names = [each.attname for each in model._meta.concrete_fields]
    return {row[0]: row[1:] for row in rows.values_list("pk", *names)}
