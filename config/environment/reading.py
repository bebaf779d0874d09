"""Reads all environment variables and reports all errors together.

`settings` reads the values from this module. An empty variable counts as not set.
"""

import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

from config.environment.variables import TABLE

# This exit code tells systemd that restarting the service would not help (docs/systemd).
WRONG_SETTINGS = 3
LEAST_SECRET = 50
LEAST_LETTERS = 5
# Similarity (from 0 to 1) above which an unknown name counts as a misspelled variable, such as
# TIMEZONE for TIME_ZONE.
ALIKE = 0.85
OIDC = ("OIDC_NAME", "OIDC_SERVER_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")

Values = dict[str, Any]


class WrongVariablesError(Exception):
    """Environment variables are invalid. `errors` has a sentence for each problem."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("; ".join(errors))


def read(variables: Mapping[str, str]) -> Values:
    """Return the value of every variable in the table.

    Raises WrongVariablesError with all errors.
    """
    values, errors = {}, []
    for variable in TABLE:
        text = variables.get(variable.name, "").strip()
        values[variable.name] = variable.default
        if text:
            try:
                values[variable.name] = variable.read(text)
            except ValueError as error:
                errors.append(f"{variable.name} {error}")
    errors += contradictions(values)
    if errors:
        raise WrongVariablesError(errors)
    return values


def read_or_leave(variables: Mapping[str, str]) -> Values:
    """Return the values, or exit the process with a list of all errors.

    A misspelled name may be intended for a different program, so it only causes a warning, once per
    process.
    """
    for name, meant in misspelled(variables):
        _report(f"{name} is not a variable of the service: is {meant} meant?")
    try:
        return read(variables)
    except WrongVariablesError as wrong:
        leave(wrong.errors)


def misspelled(variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (name, variable) for each unknown name that resembles a variable that is not set."""
    names = {each.name for each in TABLE}
    unset = [name for name in sorted(names) if not variables.get(name)]
    for name in sorted(variables.keys() - names):
        for meant in get_close_matches(name, unset, n=1, cutoff=ALIKE):
            yield name, meant


@cache
def _report(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def leave(errors: list[str]) -> NoReturn:
    """Print the errors to standard error and exit without a traceback."""
    lines = ["The service can't start with these variables (docs/configure.md has them all):"]
    lines += [f"  * {error}" for error in errors]
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()
    raise SystemExit(WRONG_SETTINGS)


def contradictions(values: Values) -> Iterator[str]:
    """Yield conflicts between variables that are valid individually."""
    if values["REPLICA_URL"] and not values["DATABASE_URL"].startswith("postgres"):
        yield "REPLICA_URL requires a PostgreSQL database in DATABASE_URL, of which it is a replica"
    yield from half_an_oidc(values)
    if not values["BEHIND_HTTPS"]:
        return
    if not values["ALLOWED_HOSTS"]:
        yield "ALLOWED_HOSTS must list the host names if BEHIND_HTTPS is on"
    if values["DEBUG"]:
        yield "DEBUG must be off if BEHIND_HTTPS is on, because it shows internal details"
    if values["SITE_URL"].startswith("http://"):
        yield "SITE_URL must begin with https:// if BEHIND_HTTPS is on"
    if values["SECRET_KEY"]:
        yield from weak_secret(values["SECRET_KEY"])
    elif values["DATABASE_URL"].startswith("postgres"):
        yield "SECRET_KEY must be set for all processes if BEHIND_HTTPS is on with PostgreSQL"


def half_an_oidc(values: Values) -> Iterator[str]:
    """Yield problems with the sign-in provider: missing variables, or an unencrypted URL."""
    if lacking := [name for name in OIDC if not values[name]]:
        if len(lacking) < len(OIDC):
            yield f"{', '.join(lacking)} must be set if any of {', '.join(OIDC)} is"
        return
    server = urlsplit(values["OIDC_SERVER_URL"])
    if server.scheme != "https" and server.hostname not in ("localhost", "127.0.0.1", "::1"):
        yield "OIDC_SERVER_URL must begin with https:// unless it is on this machine"


def weak_secret(secret: str) -> Iterator[str]:
    """Yield reasons why the secret is easy to guess. The secret itself is never shown."""
    if len(secret) < LEAST_SECRET or len(set(secret)) < LEAST_LETTERS:
        yield f"SECRET_KEY must be at least {LEAST_SECRET} characters that nobody can guess"
