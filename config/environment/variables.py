"""Every variable that the service reads, in one table; docs/running.md shows it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.environment import parsers

BASE_DIR = Path(__file__).resolve().parents[2]


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


def _data_dir() -> Path:
    """Return where data lies unless told: in a checkout, or where programs keep a user's."""
    if (BASE_DIR / "manage.py").exists():
        return BASE_DIR / "var"
    kept = os.environ.get("XDG_DATA_HOME", "")
    return (Path(kept) if kept else Path.home() / ".local" / "share") / "dealers-choice"


TABLE = (
    Variable(
        "DATABASE_URL",
        parsers.database_url,
        "",
        "SQLite in `DATA_DIR`",
        "`postgres://user:password@host:5432/name`",
    ),
    Variable(
        "REPLICA_URL",
        parsers.replica_url,
        "",
        "none: feeds are read from `DATABASE_URL`",
        "a streaming replica of that PostgreSQL, which feeds of rows are read from",
    ),
    Variable(
        "REDIS_URL", parsers.redis_url, "", "in memory", "queue and cache: `redis://host:6379/0`"
    ),
    Variable(
        "SECRET_KEY",
        parsers.text,
        "",
        "made once, kept in `DATA_DIR/secret-key`",
        "signs sessions; the same for all processes, 50 characters or more",
    ),
    Variable(
        "ALLOWED_HOSTS",
        parsers.text_list,
        [],
        "this machine's names and address",
        "names the service answers to, comma-separated",
    ),
    Variable(
        "BEHIND_HTTPS",
        parsers.switch,
        False,
        "`off`",
        "`on` behind a proxy that speaks HTTPS and sets `X-Forwarded-Proto`",
    ),
    Variable(
        "STATIC_ROOT",
        parsers.text,
        None,
        "none: served as they lie",
        "where `collectstatic` puts the static files, under hashed names",
    ),
    Variable(
        "DATA_DIR",
        Path,
        _data_dir(),
        "`var/` in the checkout; installed, `~/.local/share/dealers-choice`",
        "what an embedded service keeps",
    ),
    Variable(
        "BACKUP_DIR",
        Path,
        None,
        "`backups` in `DATA_DIR`",
        "where backups go that the service takes by itself",
    ),
    Variable(
        "BACKUPS_KEPT",
        parsers.count,
        14,
        "`14`",
        "how many of its daily backups are kept; `0` takes none",
    ),
    Variable(
        "EMAIL_URL",
        parsers.mail_url,
        "consolemail://",
        "standard output",
        "mail server: `smtp+tls://user:password@host:587`, or `smtp+ssl://` and port 465",
    ),
    Variable(
        "MAIL_FROM",
        parsers.text,
        "dealers-choice@localhost",
        "`dealers-choice@localhost`",
        "the sender of letters",
    ),
    Variable(
        "SITE_URL",
        parsers.site_url,
        "",
        "none",
        "where the service is reached, as `https://example.org`: for links in letters",
    ),
    Variable(
        "WEBHOOK_NETWORKS",
        parsers.networks,
        [],
        "none",
        "networks that webhooks and chats may call although they are not public, on any port:"
        " `192.168.1.0/24,fd00::/8`",
    ),
    Variable(
        "TIME_ZONE",
        parsers.time_zone,
        "UTC",
        "`UTC`",
        "zone of the service's own clock; leagues have their own",
    ),
    Variable(
        "SIGN_UP",
        parsers.sign_up,
        "open",
        "`open`",
        "`closed`: nobody makes an account; who has a league's code still joins",
    ),
    Variable(
        "OIDC_NAME",
        parsers.text,
        "",
        "none",
        "what the button says that signs in by OpenID Connect; the three below belong to it",
    ),
    Variable(
        "OIDC_SERVER_URL",
        parsers.site_url,
        "",
        "none",
        "where the provider is: `https://login.example.org`, by HTTPS unless on this machine",
    ),
    Variable(
        "OIDC_CLIENT_ID", parsers.text, "", "none", "by what name the provider knows this service"
    ),
    Variable("OIDC_CLIENT_SECRET", parsers.text, "", "none", "the secret that goes with that name"),
    Variable(
        "LOG_LEVEL",
        parsers.log_level,
        "WARNING",
        "`WARNING`",
        "how much is written to standard error",
    ),
    Variable(
        "LOG_FORMAT",
        parsers.log_format,
        "plain",
        "`plain`",
        "`json`: a JSON object on every line of the log",
    ),
    Variable(
        "METRICS_TOKEN",
        parsers.token,
        "",
        "none: nobody may",
        "who may read `/metrics`, as `Authorization: Bearer ...`; 20 characters or more",
    ),
    Variable(
        "PROMETHEUS_MULTIPROC_DIR",
        parsers.folder,
        None,
        "none: one process",
        "where web processes of one port put their measures together",
    ),
    Variable(
        "DEBUG",
        parsers.switch,
        False,
        "`off`",
        "Django's debug pages; never where others can reach them",
    ),
    Variable(
        "API_RATE",
        parsers.rate,
        "600/min",
        "`600/min`",
        "how often a token, a feed link or a user may ask the API",
    ),
    Variable(
        "API_RATE_OPEN",
        parsers.rate,
        "240/min",
        "`240/min`",
        "the same by address, for whoever brings none",
    ),
    Variable(
        "REQUEST_SECONDS",
        parsers.seconds,
        60.0,
        "`60`",
        "how long a request may take to arrive; its headers alone, at most 10",
    ),
    Variable(
        "WORK_SECONDS",
        parsers.seconds,
        30.0,
        "`30`",
        "how long a request that reads may work; one that writes, four times as long; an import, "
        "twenty times",
    ),
    Variable(
        "PAGE_RATE",
        parsers.rate,
        "600/min",
        "`600/min`",
        "how often an account may ask for pages",
    ),
    Variable(
        "PAGE_RATE_OPEN",
        parsers.rate,
        "1200/min",
        "`1200/min`",
        "the same by address, for visitors who are not signed in",
    ),
    Variable(
        "CORS_ORIGINS",
        parsers.origins,
        [],
        "none",
        "pages elsewhere that may read the API: `https://stats.example.org`, comma-separated",
    ),
)
