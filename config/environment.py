"""Every variable that the service reads, in one table; what is wrong with them is told at once.

`settings` reads its values here, and docs/running.md shows this table. An empty variable counts as
not set.
"""

import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
# By this code gunicorn knows that starting the worker again would not help, and ends.
WRONG_SETTINGS = 3
LEAST_SECRET = 50
LEAST_TOKEN = 20
LEAST_LETTERS = 5

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: how it is read, what holds without it, and both as the documentation says it.

    `read` raises ValueError with the rest of a sentence that begins with the name.
    """

    name: str
    read: Callable[[str], Any]
    default: Any
    shown: str
    meaning: str


class WrongVariables(Exception):
    """Variables that can't be meant; `errors` has a sentence for each."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("; ".join(errors))


def read(variables: Mapping[str, str]) -> Values:
    """Return the value of every variable of the table. Raises WrongVariables with all errors."""
    values, errors = {}, []
    for each in TABLE:
        told = variables.get(each.name, "").strip()
        values[each.name] = each.default
        if told:
            try:
                values[each.name] = each.read(told)
            except ValueError as error:
                errors.append(f"{each.name} {error}")
    errors += contradictions(values)
    if errors:
        raise WrongVariables(errors)
    return values


def read_or_leave(variables: Mapping[str, str]) -> Values:
    """Return the values, or end the process with a list of all that is wrong."""
    try:
        return read(variables)
    except WrongVariables as wrong:
        leave(wrong.errors)


def leave(errors: list[str]) -> NoReturn:
    """Say on standard error what is wrong, and end: no traceback would say it better."""
    lines = ["The service can't start with these variables (docs/running.md has them all):"]
    lines += [f"  * {error}" for error in errors]
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()
    raise SystemExit(WRONG_SETTINGS)


def contradictions(values: Values) -> Iterator[str]:
    """Yield what is wrong between variables that are each well written."""
    if values["REPLICA_URL"] and not values["DATABASE_URL"].startswith("postgres"):
        yield "REPLICA_URL wants a PostgreSQL in DATABASE_URL that it is the replica of"
    if not values["BEHIND_HTTPS"]:
        return
    if not values["ALLOWED_HOSTS"]:
        yield "ALLOWED_HOSTS must name the service where BEHIND_HTTPS is on"
    if values["DEBUG"]:
        yield "DEBUG shows the inside of the service, and BEHIND_HTTPS says that others reach it"
    if values["SITE_URL"].startswith("http://"):
        yield "SITE_URL must begin with https:// where BEHIND_HTTPS is on"
    if values["SECRET_KEY"]:
        yield from weak_secret(values["SECRET_KEY"])
    elif values["DATABASE_URL"].startswith("postgres"):
        yield "SECRET_KEY must be given to all processes where BEHIND_HTTPS is on with PostgreSQL"


def weak_secret(secret: str) -> Iterator[str]:
    """Yield why others could guess it; it is never shown itself."""
    if len(secret) < LEAST_SECRET or len(set(secret)) < LEAST_LETTERS:
        yield f"SECRET_KEY must be at least {LEAST_SECRET} characters that nobody can guess"


def _text(told: str) -> str:
    return told


def _list(told: str) -> list[str]:
    return [each.strip() for each in told.split(",") if each.strip()]


def _switch(told: str) -> bool:
    known = {"on": True, "true": True, "yes": True, "1": True}
    known |= {"off": False, "false": False, "no": False, "0": False}
    if told.lower() not in known:
        raise ValueError("must be on or off")
    return known[told.lower()]


def _database(told: str) -> str:
    if _scheme(told) not in ("sqlite", "postgres", "postgresql"):
        raise ValueError("must begin with postgres:// or sqlite:///")
    if _scheme(told) != "sqlite" and not _reachable(told):
        raise ValueError("must name a host")
    try:
        named = environ.Env.db_url_config(told)["NAME"]
    except ValueError:  # what it says may hold the password
        named = ""
    if not named:
        raise ValueError("must end in the name of a database")
    return told


def _replica(told: str) -> str:
    if _scheme(told) not in ("postgres", "postgresql"):
        raise ValueError("must begin with postgres://")
    return _database(told)


def _redis(told: str) -> str:
    if _scheme(told) not in ("redis", "rediss") or not _reachable(told):
        raise ValueError("must be an address as redis://host:6379/0")
    return told


def _mail(told: str) -> str:
    if _scheme(told) not in environ.Env.EMAIL_SCHEMES:
        raise ValueError("must be an address as smtp+tls://user:password@host:587")
    return told


def _site(told: str) -> str:
    if _scheme(told) not in ("http", "https") or not _reachable(told):
        raise ValueError("must be an address as https://league.example.org")
    return told.rstrip("/")


def _origins(told: str) -> list[str]:
    origins = _list(told)
    for each in origins:
        if not re.fullmatch(r"https?://[^/\s*]+", each):
            raise ValueError("must list addresses as https://stats.example.org, without a path")
    return origins


def _networks(told: str) -> list[str]:
    networks = _list(told)
    for each in networks:
        try:
            ip_network(each)
        except ValueError:
            raise ValueError("must list networks as 192.168.1.0/24") from None
    return networks


def _rate(told: str) -> str:
    if not re.fullmatch(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)", told):
        raise ValueError("must be a rate as 600/min")
    return told


def _zone(told: str) -> str:
    try:
        ZoneInfo(told)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("must be a time zone as Europe/Berlin") from None
    return told


def _level(told: str) -> str:
    if told.upper() not in logging.getLevelNamesMapping():
        raise ValueError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return told.upper()


def _form(told: str) -> str:
    if told not in ("plain", "json"):
        raise ValueError("must be plain or json")
    return told


def _token(told: str) -> str:
    if len(told) < LEAST_TOKEN:
        raise ValueError(f"must be at least {LEAST_TOKEN} characters that nobody can guess")
    return told


def _folder(told: str) -> str:
    if not Path(told).is_dir():
        raise ValueError("must be a folder that is there")
    return told


def _scheme(told: str) -> str:
    return told.partition(":")[0].lower()


def _reachable(told: str) -> bool:
    """Tell whether the address names a host, and a port that can be, if any.

    What urlsplit itself says of one that can't be read may hold its password.
    """
    try:
        return bool(urlsplit(told).hostname) and urlsplit(told).port != 0
    except ValueError:
        return False


TABLE = (
    Variable(
        "DATABASE_URL",
        _database,
        "",
        "SQLite in `DATA_DIR`",
        "`postgres://user:password@host:5432/name`",
    ),
    Variable(
        "REPLICA_URL",
        _replica,
        "",
        "none: feeds are read from `DATABASE_URL`",
        "a streaming replica of that PostgreSQL, which feeds of rows are read from",
    ),
    Variable("REDIS_URL", _redis, "", "in memory", "queue and cache: `redis://host:6379/0`"),
    Variable(
        "SECRET_KEY",
        _text,
        "",
        "made once, kept in `DATA_DIR/secret-key`",
        "signs sessions; the same for all processes, 50 characters or more",
    ),
    Variable(
        "ALLOWED_HOSTS",
        _list,
        [],
        "this machine's names and address",
        "names the service answers to, comma-separated",
    ),
    Variable(
        "BEHIND_HTTPS",
        _switch,
        False,
        "`off`",
        "`on` behind a proxy that speaks HTTPS and sets `X-Forwarded-Proto`",
    ),
    Variable(
        "STATIC_ROOT",
        _text,
        None,
        "none: served as they lie",
        "where `collectstatic` puts the static files, under hashed names",
    ),
    Variable(
        "DATA_DIR",
        Path,
        BASE_DIR / "var",
        "`var/` in the checkout",
        "what an embedded service keeps",
    ),
    Variable(
        "EMAIL_URL",
        _mail,
        "consolemail://",
        "standard output",
        "mail server: `smtp+tls://user:password@host:587`, or `smtp+ssl://` and port 465",
    ),
    Variable(
        "MAIL_FROM",
        _text,
        "dealers-choice@localhost",
        "`dealers-choice@localhost`",
        "the sender of letters",
    ),
    Variable(
        "SITE_URL",
        _site,
        "",
        "none",
        "where the service is reached, as `https://example.org`: for links in letters",
    ),
    Variable(
        "WEBHOOK_NETWORKS",
        _networks,
        [],
        "none",
        "networks that webhooks may call although they are not public, on any port:"
        " `192.168.1.0/24,fd00::/8`",
    ),
    Variable(
        "TIME_ZONE",
        _zone,
        "UTC",
        "`UTC`",
        "zone of the service's own clock; leagues have their own",
    ),
    Variable("LOG_LEVEL", _level, "WARNING", "`WARNING`", "how much is written to standard error"),
    Variable(
        "LOG_FORMAT", _form, "plain", "`plain`", "`json`: a JSON object on every line of the log"
    ),
    Variable(
        "METRICS_TOKEN",
        _token,
        "",
        "none: nobody may",
        "who may read `/metrics`, as `Authorization: Bearer ...`; 20 characters or more",
    ),
    Variable(
        "PROMETHEUS_MULTIPROC_DIR",
        _folder,
        None,
        "none: one process",
        "where the processes of one gunicorn put their measures together",
    ),
    Variable(
        "DEBUG",
        _switch,
        False,
        "`off`",
        "Django's debug pages; never where others can reach them",
    ),
    Variable(
        "API_RATE",
        _rate,
        "600/min",
        "`600/min`",
        "how often a token, a feed link or a user may ask the API",
    ),
    Variable(
        "API_RATE_OPEN",
        _rate,
        "240/min",
        "`240/min`",
        "the same by address, for whoever brings none",
    ),
    Variable(
        "CORS_ORIGINS",
        _origins,
        [],
        "none",
        "pages elsewhere that may read the API: `https://stats.example.org`, comma-separated",
    ),
)
