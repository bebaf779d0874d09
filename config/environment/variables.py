"""The table of environment variables that the service reads. docs/configure.md contains it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.environment import parsers

BASE_DIR = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable. `shown` and `meaning` are its default and meaning in the docs.

    `read` raises ValueError with a text that completes a sentence starting with the variable's
    name.
    """

    name: str
    read: Callable[[str], Any]
    default: Any
    shown: str
    meaning: str


def _data_dir() -> Path:
    """Return the default data folder: in the checkout, or in the user's data folder."""
    if (BASE_DIR / "manage.py").exists():
        return BASE_DIR / "var"
    folder = os.environ.get("XDG_DATA_HOME", "")
    return (Path(folder) if folder else Path.home() / ".local" / "share") / "dealers-choice"


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
        "a streaming replica of that PostgreSQL; row feeds are read from it",
    ),
    Variable(
        "REDIS_URL", parsers.redis_url, "", "in memory", "queue and cache: `redis://host:6379/0`"
    ),
    Variable(
        "SECRET_KEY",
        parsers.text,
        "",
        "generated once, stored in `DATA_DIR/secret-key`",
        "signs sessions; the same for all processes, 50 characters or more",
    ),
    Variable(
        "ALLOWED_HOSTS",
        parsers.text_list,
        [],
        "this machine's names and address",
        "host names that the service accepts, comma-separated",
    ),
    Variable(
        "BEHIND_HTTPS",
        parsers.switch,
        False,
        "`off`",
        "`on` behind a proxy that terminates HTTPS and sets `X-Forwarded-Proto`",
    ),
    Variable(
        "STATIC_ROOT",
        parsers.text,
        None,
        "none: served from the source folders",
        "the folder into which `collectstatic` writes static files with hashed names",
    ),
    Variable(
        "DATA_DIR",
        Path,
        _data_dir(),
        "`var/` in the checkout; installed, `~/.local/share/dealers-choice`",
        "the folder for the database, the key and the backups",
    ),
    Variable(
        "BACKUP_DIR",
        Path,
        None,
        "`backups` in `DATA_DIR`",
        "the folder for automatic backups",
    ),
    Variable(
        "BACKUPS_KEPT",
        parsers.count,
        14,
        "`14`",
        "the number of daily backups to keep; `0` disables them",
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
        "the sender of e-mails",
    ),
    Variable(
        "SITE_URL",
        parsers.site_url,
        "",
        "none",
        "the public address, such as `https://example.org`, for links in e-mails",
    ),
    Variable(
        "WEBHOOK_NETWORKS",
        parsers.networks,
        [],
        "none",
        "private networks that webhooks and chats may call, on any port: `192.168.1.0/24,fd00::/8`",
    ),
    Variable(
        "TIME_ZONE",
        parsers.time_zone,
        "UTC",
        "`UTC`",
        "the time zone of the service; each league has its own",
    ),
    Variable(
        "SIGN_UP",
        parsers.sign_up,
        "open",
        "`open`",
        "`closed`: no new accounts; phones still join with a league's code",
    ),
    Variable(
        "DEMO",
        parsers.switch,
        True,
        "`on`",
        "`off`: visitors can't try the service without an account",
    ),
    Variable(
        "DEMO_READY",
        parsers.count,
        2,
        "`2`",
        "demo leagues prepared in advance, 0.3 MB each; more visitors at the same time wait longer",
    ),
    Variable(
        "OIDC_NAME",
        parsers.text,
        "",
        "none",
        "the label of the OpenID Connect button; requires the three variables below",
    ),
    Variable(
        "OIDC_SERVER_URL",
        parsers.site_url,
        "",
        "none",
        "the provider, such as `https://login.example.org`; HTTPS unless on this machine",
    ),
    Variable(
        "OIDC_CLIENT_ID", parsers.text, "", "none", "the client ID of this service at the provider"
    ),
    Variable("OIDC_CLIENT_SECRET", parsers.text, "", "none", "the client secret"),
    Variable(
        "LOG_LEVEL",
        parsers.log_level,
        "WARNING",
        "`WARNING`",
        "the lowest level that is written to standard error",
    ),
    Variable(
        "LOG_FORMAT",
        parsers.log_format,
        "plain",
        "`plain`",
        "`json`: each line of the log is a JSON object",
    ),
    Variable(
        "METRICS_TOKEN",
        parsers.token,
        "",
        "none: no access",
        "a token for `/metrics`, as `Authorization: Bearer ...`; 20 characters or more",
    ),
    Variable(
        "PROMETHEUS_MULTIPROC_DIR",
        parsers.folder,
        None,
        "none: one process",
        "the folder in which web processes of one port share their metrics",
    ),
    Variable(
        "DEBUG",
        parsers.switch,
        False,
        "`off`",
        "Django's debug pages; never on a service that others can reach",
    ),
    Variable(
        "API_RATE",
        parsers.rate,
        "600/min",
        "`600/min`",
        "API requests of a token, a feed link or a user",
    ),
    Variable(
        "API_RATE_OPEN",
        parsers.rate,
        "240/min",
        "`240/min`",
        "API requests of an address without credentials",
    ),
    Variable(
        "REQUEST_SECONDS",
        parsers.seconds,
        60.0,
        "`60`",
        "seconds within which a request must arrive; at most 10 for its headers",
    ),
    Variable(
        "WORK_SECONDS",
        parsers.seconds,
        30.0,
        "`30`",
        "time limit of a read request in seconds; a write request may take four times as long, "
        "an import twenty times",
    ),
    Variable(
        "PAGE_RATE",
        parsers.rate,
        "600/min",
        "`600/min`",
        "page requests of an account",
    ),
    Variable(
        "PAGE_RATE_OPEN",
        parsers.rate,
        "1200/min",
        "`1200/min`",
        "page requests of an address, for visitors who are not signed in",
    ),
    Variable(
        "CORS_ORIGINS",
        parsers.origins,
        [],
        "none",
        "origins whose pages may read the API: `https://stats.example.org`, comma-separated",
    ),
)
