"""`manage.py doctor` reports what is configured, what is missing, and how to fix it.

Each check yields findings: a sentence, and a remedy if something should change. Only findings with
the level MISSING make the installation unfit for production. Secrets are never shown.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.utils import timezone

from config.data.backups import writing
from config.data.postgresql import NO_TRANSACTIONS
from config.environment.reading import misspelled, weak_secret
from config.observability.monitoring import READY, processes, reach_database, work
from config.web.static_files import HashedFiles
from league import VERSION
from league.management.base_command import ServiceCommand, place_of, refusal, typed, unmigrated
from ledger.audit import unguarded

LEAST_FREE = 1024**3  # bytes of free disk space
BACKUP_IS_OLD = timedelta(days=2)


class Level(StrEnum):
    GOOD = "good"
    ADVICE = "advice"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """The result of a check, and how to fix it if something should change."""

    level: Level
    text: str
    remedy: str = ""


class Command(ServiceCommand):
    help = "Print what is configured, what is missing and how to fix it. Fails if it is not ready."

    def expect_database(self) -> None:
        """Skip the check. An unusable database is reported as a finding."""

    def handle(self, **_options: Any) -> None:
        """Print the findings. Exits with 1 if anything is missing."""
        findings = [good(f"version {VERSION}")]
        for check in CHECKS:
            findings += check()
        for finding in findings:
            self.stdout.write(f"{finding.level:8} {finding.text}")
            if finding.remedy:
                self.stdout.write(f"{'':8} -> {finding.remedy}")
        if lacking := sum(finding.level == Level.MISSING for finding in findings):
            self.stdout.write(f"Not fit for production: {lacking} missing.")
            raise SystemExit(1)
        self.stdout.write("Fit for production.")


def good(text: str) -> Finding:
    return Finding(Level.GOOD, text)


def advice(text: str, remedy: str) -> Finding:
    return Finding(Level.ADVICE, text, remedy)


def missing(text: str, remedy: str) -> Finding:
    return Finding(Level.MISSING, text, remedy)


def database() -> Iterator[Finding]:
    place = f"the database {place_of(connection)} ({connection.display_name})"
    try:
        reach_database()
    except DatabaseError as error:
        if NO_TRANSACTIONS in str(error):
            yield missing(f"{place} can't be used", NO_TRANSACTIONS)
        else:
            yield missing(
                f"{place} does not answer", "check DATABASE_URL and whether the database runs"
            )
        return
    if reason := refusal(connection) or unmigrated():
        yield missing(reason.rstrip("."), f"{typed()} migrate")
        return
    yield good(f"{place} answers and is migrated")
    if getattr(connection, "is_pooled", False):
        yield good("a connection pooler is in use: query plans are not cached")
    if findings := unguarded():
        yield missing(
            f"{len(findings)} triggers that protect the books are missing", f"{typed()} migrate"
        )
    late = work()
    if late != READY:
        yield missing(late, "start a worker and the scheduler, and check their logs")
    silent = processes()
    if silent != READY:
        yield missing(silent, "start the processes listed in docs/install.md, then run this again")
    else:
        yield good("a worker and the scheduler run")
    if connection.vendor == "sqlite":
        yield advice(
            "SQLite supports a single process",
            "set DATABASE_URL to a PostgreSQL database to run several",
        )


def broker() -> Iterator[Finding]:
    if not settings.REDIS_URL:
        yield advice(
            "no REDIS_URL: the queue and the cache belong to this process",
            "set it to run the web server, the worker and the scheduler as separate processes",
        )
        return
    try:
        with redis.from_url(settings.REDIS_URL, socket_connect_timeout=2) as store:
            store.ping()
    except redis.RedisError as error:
        yield missing(f"Redis does not answer ({type(error).__name__})", "check REDIS_URL")
    else:
        yield good("Redis answers")


def secrets() -> Iterator[Finding]:
    if list(weak_secret(settings.SECRET_KEY)):
        yield missing("SECRET_KEY can be guessed", f"SECRET_KEY=$({typed()} secret_key)")
    elif (key_file := settings.DATA_DIR / "secret-key").exists() and (
        key_file.read_text().strip() == settings.SECRET_KEY
    ):
        yield good(f"the secret key is stored in {settings.DATA_DIR}: keep a copy with the backups")
    else:
        yield good("SECRET_KEY is set: keep a copy with the backups")


def variables() -> Iterator[Finding]:
    for name, meant in misspelled(os.environ):
        yield advice(f"{name} is set, but the service does not read it", f"did you mean {meant}?")


def reachability() -> Iterator[Finding]:
    """Check how the service can be reached from other machines."""
    if settings.DEBUG:
        yield missing("DEBUG shows internal details to everyone", "DEBUG=off")
    if not settings.BEHIND_HTTPS:
        yield missing(
            "no HTTPS: others can read passwords, and phones can't record without a connection",
            "run it behind a proxy, then BEHIND_HTTPS=on and ALLOWED_HOSTS=league.example.org",
        )
    else:
        named = ", ".join(dict.fromkeys(settings.ALLOWED_HOSTS))
        yield good(f"a proxy provides HTTPS for {named}")
    if not settings.SITE_URL:
        yield advice("no SITE_URL: e-mails have no links", "SITE_URL=https://league.example.org")
    if settings.SIGN_UP == "open":
        yield advice("anyone can create an account and a league", "SIGN_UP=closed to prevent this")


def mail_server() -> Iterator[Finding]:
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        yield advice(
            "e-mails are written to the standard output",
            "EMAIL_URL=smtp+tls://user:password@host:587",
        )
        return
    server = get_connection()
    try:
        server.open()
        server.close()
    except OSError as error:
        text = f"the mail server {settings.EMAIL_HOST} can't be reached ({type(error).__name__})"
        yield missing(text, "check EMAIL_URL")
    else:
        yield good(f"the mail server {settings.EMAIL_HOST} answers")


def static_files() -> Iterator[Finding]:
    if not settings.STATIC_ROOT:
        yield advice(
            "static files are served uncompressed from the source folders",
            f"STATIC_ROOT=/a/folder, then {typed()} collectstatic --no-input",
        )
    elif not (Path(settings.STATIC_ROOT) / HashedFiles.manifest_name).exists():
        yield missing("static files are not collected", f"{typed()} collectstatic --no-input")
    else:
        yield good(f"static files are collected in {settings.STATIC_ROOT}")


def backups() -> Iterator[Finding]:
    folder = settings.BACKUP_DIR
    if not settings.BACKUPS_KEPT:
        yield advice("no daily backups: BACKUPS_KEPT is 0", f"{typed()} backup FILE every day")
        return
    last = writing.newest(folder)
    if last is None:
        yield advice(
            f"no backup in {folder} yet: the first is taken 15 minutes after the start",
            f"{typed()} backup FILE",
        )
    elif timezone.now() - last > BACKUP_IS_OLD:
        yield missing(
            f"the last backup in {folder} is from {last:%Y-%m-%d}", "see the worker's log"
        )
    else:
        yield good(f"the last backup in {folder} is from {last:%Y-%m-%d %H:%M}; copy it elsewhere")


def disk_space() -> Iterator[Finding]:
    folder = settings.DATA_DIR if settings.DATA_DIR.exists() else Path("/")
    if (free := shutil.disk_usage(folder).free) < LEAST_FREE:
        yield missing(f"only {free // 1024**2} MB are free at {folder}", "free some space")


def metrics() -> Iterator[Finding]:
    if not settings.METRICS_TOKEN:
        yield advice("/metrics can't be read", f"METRICS_TOKEN=$({typed()} secret_key)")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    database,
    broker,
    secrets,
    variables,
    reachability,
    mail_server,
    static_files,
    backups,
    disk_space,
    metrics,
)
