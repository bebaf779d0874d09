"""Runs evenings for a given time, races, and mutants."""

import gc
import logging
import os
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING

from celery.exceptions import AlwaysEagerIgnored
from django.db import connection

from tests.simulation.beginning import Beginning
from tests.simulation.comparison import MismatchError
from tests.simulation.evening import Evening, evening
from tests.simulation.nature import nature

if TYPE_CHECKING:
    from tests.simulation.mutants import Mutant
    from tests.simulation.races import Race

MOST_SEEDS = 1_000


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress log entries for intended faults."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def beginning() -> Iterator[Beginning]:
    """Create the initial database and delete it after the block."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    warnings.simplefilter("ignore", AlwaysEagerIgnored)
    made = Beginning()
    with nature(0) as clock:
        clock.pass_by(-timedelta(days=1))
        made.make()
    try:
        yield made
    finally:
        made.forget()


def run_one(seed: int, steps: int) -> int:
    """Run one evening and print its events. Return the exit status."""
    with beginning() as begun, evening(seed, begun) as one:
        error = tried(one, range(steps))
        print("\n".join(one.history))
        print(f"seed {seed}: {error or 'no differences'}; history {one.digest()}")
    return 1 if error else 0


def run_all(first: int, seconds: float, steps: int) -> int:
    """Run evenings for this time, of which races take a third on PostgreSQL.

    Return the exit status.
    """
    if connection.vendor != "postgresql":
        return run_many(first, seconds, steps)
    return run_many(first, seconds * 2 / 3, steps) | run_any_races(first, seconds / 3)


def run_any_races(first: int, seconds: float) -> int:
    """Run races in random orders from a seed for this time. Return the exit status."""
    from tests.simulation.races import PAIRS, any_order, races  # noqa: PLC0415 (needs PostgreSQL)

    seed, failed = first, 0
    with beginning() as begun, quiet(), races(begun) as make:
        learned: dict[str, Race] = {}
        started = os.times().elapsed
        while os.times().elapsed - started < seconds:
            chance = Random(f"race {seed}")
            name = chance.choice(list(PAIRS))
            try:
                if name not in learned:
                    learned[name] = make(name)
                    learned[name].learn()
                learned[name].run(any_order(chance, learned[name].steps))
            except MismatchError as wrong:
                failed += 1
                print(f"race {seed}: {wrong}", flush=True)
            seed += 1
        orders = sum(each.runs for each in learned.values())
    print(f"races: {orders} orders of {len(learned)} pairs, wrong: {failed}")
    return 1 if failed else 0


def run_many(first: int, seconds: float, steps: int) -> int:
    """Run evenings for this time and print their results. Return the exit status."""
    seed, failed, tally = first, 0, [0, 0, 0, 0, 0]
    kinds: Counter[str] = Counter()
    with beginning() as begun:
        began = os.times()
        while os.times().elapsed - began.elapsed < seconds:
            with evening(seed, begun) as one:
                error = tried(one, range(steps))
                database = one.service.database
            counted = (
                steps,
                one.faults,
                database.all_struck,
                one.acknowledged,
                database.all_statements,
            )
            tally = [have + more for have, more in zip(tally, counted, strict=True)]
            kinds.update(one.counted)
            if error:
                failed += 1
                print(f"seed {seed}: {error}", flush=True)
            seed += 1
        ended = os.times()
    print("; ".join(f"{kind}: {number}" for kind, number in sorted(kinds.items())))
    took, busy = ended.elapsed - began.elapsed, ended.user - began.user
    print(
        f"evenings: {seed - first} (seeds {first} to {seed - 1}), steps: {tally[0]},"
        f" faults: {tally[1]} ({tally[2]} met), acknowledged: {tally[3]},"
        f" statements: {tally[4]}, wrong: {failed};"
        f" {1000 * took / max(seed - first, 1):.0f} ms an evening,"
        f" {1000 * busy / max(seed - first, 1):.0f} ms of them in this process"
    )
    return 1 if failed else 0


def tried(one: Evening, steps: Sequence[int]) -> str:
    """Run the evening. Return its error with the last step, or an empty string."""
    root, error_log = logging.getLogger(), one.service.error_log
    before, root.handlers = root.handlers, [error_log]  # faults log thousands of tracebacks
    try:
        one.run(steps)
    except MismatchError as wrong:
        return f"after {_last_step(one)}: {wrong}"
    except Exception as error:  # noqa: BLE001 (the service may raise any error)
        return f"after {_last_step(one)}: {error!r}"
    finally:
        root.handlers = before
    return ""


def _last_step(one: Evening) -> str:
    return next(line for line in reversed(one.history) if line.startswith("step"))


def run_races(only: str) -> int:
    """Run each race in every order with one switch. Return the exit status."""
    from tests.simulation.races import PAIRS, one_switch, races  # noqa: PLC0415 (needs PostgreSQL)

    failed = 0
    with beginning() as begun, quiet(), races(begun) as make:
        for name in (each for each in PAIRS if only in each):
            race, started = make(name), os.times().elapsed
            try:
                race.learn()
                for order in one_switch(race.steps):
                    race.run(order)
            except MismatchError as wrong:
                failed += 1
                print(f"{name}: {wrong}", flush=True)
            took = os.times().elapsed - started
            print(f"{name}: {race.runs} orders, {took:.1f} s", flush=True)
    return 1 if failed else 0


def find_mutants(only: str, steps: int) -> int:
    """Search for each mutant and print what detected it. Return the exit status."""
    from tests.simulation.mutants import MUTANTS  # noqa: PLC0415 (as evenings do not)

    wanted = [candidate for candidate in MUTANTS if only in candidate.name]
    missed = 0
    with beginning() as begun:
        for mutant in wanted:
            if not mutant.pair and not (mutant.of_replica and connection.vendor == "postgresql"):
                missed += not _found_by_evenings(mutant, steps, begun)
    if connection.vendor == "postgresql" and any(candidate.pair for candidate in wanted):
        from tests.simulation.races import races  # noqa: PLC0415 (as above)

        with beginning() as begun, quiet(), races(begun) as make:
            for mutant in wanted:
                if mutant.pair:
                    missed += not _found_by_a_race(mutant, make(mutant.pair))
    return 1 if missed else 0


def _found_by_evenings(mutant: "Mutant", steps: int, begun: Beginning) -> bool:
    for seed in range(1, MOST_SEEDS + 1):
        with mutant.at_work():
            with evening(seed, begun) as one:
                error = tried(one, range(steps))
            if error:
                fewest = shrunk(seed, range(one.taken), begun)
                with evening(seed, begun) as one:
                    error = tried(one, fewest)
        if error:
            print(
                f"{mutant.name}: seed {seed}, {len(fewest)} steps {fewest}; {error[:200]}",
                flush=True,
            )
            return True
    print(f"{mutant.name}: NOT FOUND within {MOST_SEEDS} seeds", flush=True)
    return False


def _found_by_a_race(mutant: "Mutant", race: "Race") -> bool:
    from tests.simulation.races import one_switch, two_switches  # noqa: PLC0415 (as above)

    with mutant.at_work():
        race.learn()
        for order in islice(chain(one_switch(race.steps), two_switches(race.steps)), MOST_SEEDS):
            try:
                race.run(order)
            except MismatchError as wrong:
                print(
                    f"{mutant.name}: order {race.runs - 2}, {order}; {str(wrong)[:200]}", flush=True
                )
                return True
    print(f"{mutant.name}: NOT FOUND in {race.runs} orders", flush=True)
    return False


def shrunk(seed: int, steps: Sequence[int], begun: Beginning) -> list[int]:
    """Return fewer steps that still fail, found by leaving steps out."""
    steps_left, size = list(steps), max(len(steps) // 2, 1)
    while size:
        at = 0
        while at < len(steps_left):
            fewer = steps_left[:at] + steps_left[at + size :]
            with evening(seed, begun) as one:
                wrong = tried(one, fewer)
            if wrong:
                steps_left = fewer
            else:
                at += size
        size //= 2
    return steps_left
