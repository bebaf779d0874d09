"""Runs simulated evenings. See `make simulate`.

Usage: `python -m tests.simulation [--seed N] [--seconds S]`.
"""

import argparse
import os
import sys


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description="Evenings")
    parser.add_argument("--seed", type=int, help="run only this evening, and print its steps")
    parser.add_argument("--first", type=int, default=1, help="the first of several seeds")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--races", action="store_true", help="run every order of two writers")
    parser.add_argument("--mutants", action="store_true", help="try deliberate faults")
    parser.add_argument("--only", default="", help="only those whose name contains this")
    options = parser.parse_args()
    if options.races and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        parser.error("SQLite has one writer at a time, so races require PostgreSQL (DATABASE_URL)")
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
    import django  # noqa: PLC0415 (settings come first)

    django.setup()
    from tests.simulation import running  # noqa: PLC0415

    if options.mutants:
        sys.exit(running.find_mutants(options.only, options.steps))
    if options.races:
        sys.exit(running.run_races(options.only))
    if options.seed is not None:
        sys.exit(running.run_one(options.seed, options.steps))
    sys.exit(running.run_all(options.first, options.seconds, options.steps))


if __name__ == "__main__":
    main()
