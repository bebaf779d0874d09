"""Parsers for the text of each environment variable.

They raise ValueError with a text that completes a sentence starting with the variable's name.
"""

import logging
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ

LEAST_TOKEN = 20
ORIGIN = re.compile(r"https?://[^/\s*]+")
SECONDS = re.compile(r"\d{1,4}(\.\d{1,3})?")
COUNT = re.compile(r"\d{1,4}")
RATE = re.compile(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)")


def text(value: str) -> str:
    return value


def text_list(value: str) -> list[str]:
    return [each.strip() for each in value.split(",") if each.strip()]


def switch(value: str) -> bool:
    choices = {"on": True, "true": True, "yes": True, "1": True}
    choices |= {"off": False, "false": False, "no": False, "0": False}
    if value.lower() not in choices:
        raise ValueError("must be on or off")
    return choices[value.lower()]


def database_url(value: str) -> str:
    if _scheme(value) not in ("sqlite", "postgres", "postgresql"):
        raise ValueError("must begin with postgres:// or sqlite:///")
    if _scheme(value) != "sqlite" and not _reachable(value):
        raise ValueError("must name a host")
    try:
        named = environ.Env.db_url_config(value)["NAME"]
    except ValueError:  # the message is suppressed, because it may contain the password
        named = ""
    if not named:
        raise ValueError("must end in the name of a database")
    return value


def replica_url(value: str) -> str:
    if _scheme(value) not in ("postgres", "postgresql"):
        raise ValueError("must begin with postgres://")
    return database_url(value)


def redis_url(value: str) -> str:
    if _scheme(value) not in ("redis", "rediss") or not _reachable(value):
        raise ValueError("must be an address such as redis://host:6379/0")
    return value


def mail_url(value: str) -> str:
    if _scheme(value) not in environ.Env.EMAIL_SCHEMES:
        raise ValueError("must be an address such as smtp+tls://user:password@host:587")
    return value


def site_url(value: str) -> str:
    if _scheme(value) not in ("http", "https") or not _reachable(value):
        raise ValueError("must be an address such as https://league.example.org")
    return value.rstrip("/")


def origins(value: str) -> list[str]:
    listed = text_list(value)
    for each in listed:
        if not ORIGIN.fullmatch(each):
            raise ValueError(
                "must list addresses such as https://stats.example.org, without a path"
            )
    return listed


def networks(value: str) -> list[str]:
    listed = text_list(value)
    for network in listed:
        try:
            ip_network(network)
        except ValueError:
            raise ValueError("must list networks such as 192.168.1.0/24") from None
    return listed


def rate(value: str) -> str:
    if not RATE.fullmatch(value):
        raise ValueError("must be a rate such as 600/min")
    return value


def count(value: str) -> int:
    if not COUNT.fullmatch(value):
        raise ValueError("must be a number such as 14")
    return int(value)


def seconds(value: str) -> float:
    if not SECONDS.fullmatch(value) or not float(value):
        raise ValueError("must be seconds such as 60")
    return float(value)


def time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("must be a time zone such as Europe/Berlin") from None
    return value


def log_level(value: str) -> str:
    if value.upper() not in logging.getLevelNamesMapping():
        raise ValueError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return value.upper()


def log_format(value: str) -> str:
    if value not in ("plain", "json"):
        raise ValueError("must be plain or json")
    return value


def token(value: str) -> str:
    if len(value) < LEAST_TOKEN:
        raise ValueError(f"must be at least {LEAST_TOKEN} characters that nobody can guess")
    return value


def sign_up(value: str) -> str:
    if value not in ("open", "closed"):
        raise ValueError("must be open or closed")
    return value


def folder(value: str) -> str:
    if not Path(value).is_dir():
        raise ValueError("must be an existing folder")
    return value


def _scheme(value: str) -> str:
    return value.partition(":")[0].lower()


def _reachable(value: str) -> bool:
    """Return whether the address has a host and a valid port, if any.

    urlsplit's error message is not shown, because it may contain the password.
    """
    try:
        return bool(urlsplit(value).hostname) and urlsplit(value).port != 0
    except ValueError:
        return False


PROVIDER = "oidc"


def oidc_apps(*, name: str, server_url: str, client_id: str, secret: str) -> list[dict[str, Any]]:
    """Return the provider in the format of allauth, or an empty list if `name` is empty."""
    if not name:
        return []
    settings = {"server_url": server_url}
    app = {"provider_id": PROVIDER, "name": name, "client_id": client_id, "secret": secret}
    return [{**app, "settings": settings}]
