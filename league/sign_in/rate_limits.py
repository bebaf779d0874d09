"""Rate limits for codes, passwords and new accounts. Counts are stored only in the cache.

Each limit is per address, per name, or for the whole service. docs/decisions/0022-who-may.md lists
all limits. Guesses from other addresses do not lock out users at an address where they were
recently seen.
"""

import logging
from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from redis.exceptions import RedisError

from league.common.client_ip import record_address, were_seen
from league.models import League, Membership, User

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of `most` attempts per key within `seconds` of the first attempt."""

    name: str
    most: int
    seconds: int


# A player at a table mistypes a code now and then, but guessing one takes millions of attempts.
WRONG_CODES_HERE = Limit("wrong-codes", 20, 600)
WRONG_CODES_ANYWHERE = Limit("wrong-codes-anywhere", 200, 3600)
# Applies in addition to the limit of eight wrong passwords per name and address
# (AXES_FAILURE_LIMIT).
WRONG_PASSWORDS_HERE = Limit("wrong-passwords-here", 40, 900)
WRONG_PASSWORDS_OF_NAME = Limit("wrong-passwords-of-name", 100, 3600)
# The limit for signed-in users re-entering their password, from any address.
WRONG_PASSWORDS_AGAIN = Limit("wrong-passwords-again", 40, 3600)
SIGN_UPS_HERE = Limit("sign-ups", 20, 3600)
# Several people in a household or bar may try the demo at the same time.
DEMOS_HERE = Limit("demos", 10, 3600)
# All players at a table may answer from the same address and change their answers.
ANSWERS_HERE = Limit("answers-by-link", 60, 600)


def is_spent(limit: Limit, key: str = "") -> bool:
    """Return whether the limit is reached. Without a cache, attempts are not counted."""
    try:
        return int(cache.get(_key(limit, key), 0)) >= limit.most
    except RedisError as error:
        logger.warning("Requests are not counted: %s", error)
        return False


def count(limit: Limit, key: str = "") -> None:
    at = _key(limit, key)
    try:
        if not cache.add(at, 1, limit.seconds):
            cache.incr(at)
    except ValueError:  # the count expired between these two calls
        cache.add(at, 1, limit.seconds)
    except RedisError as error:
        logger.warning("Requests are not counted: %s", error)


def may_try_code(address: str, league: League | None) -> bool:
    """Return whether the address may try a code. `league` is the code's league, if any.

    Guesses from other addresses do not block a league whose members were seen at this address. This
    exception reveals nothing about the code, because those members are already in the league.
    """
    if is_spent(WRONG_CODES_HERE, address):
        return False
    if not is_spent(WRONG_CODES_ANYWHERE):
        return True
    if league is None:
        return False
    members = Membership.objects.filter(league=league).values_list("user", flat=True)
    return _were_seen(list(members), address)


def count_wrong_code(address: str) -> None:
    """Count a wrong code for its address and for the whole service."""
    count(WRONG_CODES_HERE, address)
    count(WRONG_CODES_ANYWHERE)


def may_try_password(address: str, name: str) -> bool:
    """Return whether the address may try a password for this name, which need not exist.

    Wrong passwords for one name from many addresses lock the name at all addresses where its owner
    was not recently seen.
    """
    if is_spent(WRONG_PASSWORDS_HERE, address):
        return False
    return not is_spent(WRONG_PASSWORDS_OF_NAME, _called(name)) or _is_at(name, address)


def count_wrong_password(address: str, name: str) -> None:
    count(WRONG_PASSWORDS_HERE, address)
    if not _is_at(name, address):
        count(WRONG_PASSWORDS_OF_NAME, _called(name))


def may_reauthenticate(address: str, user: User) -> bool:
    """Return whether the signed-in user may re-enter the password.

    No address is exempt, because a stolen session makes its user count as seen at any address.
    """
    spent = is_spent(WRONG_PASSWORDS_HERE, address)
    return not spent and not is_spent(WRONG_PASSWORDS_AGAIN, str(user.pk))


def count_wrong_reauthentication(address: str, user: User) -> None:
    """Count a wrong password in a session for its address and for its user."""
    count(WRONG_PASSWORDS_HERE, address)
    count(WRONG_PASSWORDS_AGAIN, str(user.pk))


def record_known_address(address: str, user: User) -> None:
    record_address(user.pk, address)


def may_sign_up(address: str) -> bool:
    """Return whether another account may be created from the address."""
    return not is_spent(SIGN_UPS_HERE, address)


def count_sign_up(address: str) -> None:
    """Count a new account for its address."""
    count(SIGN_UPS_HERE, address)


def _is_at(name: str, address: str) -> bool:
    users = User.objects.filter(username=name) if "\0" not in name else User.objects.none()
    return _were_seen(list(users.values_list("pk", flat=True)), address)


def _were_seen(users: list[int], address: str) -> bool:
    try:
        return were_seen(users, address)
    except RedisError:
        return False


def _called(name: str) -> str:
    return name.strip().lower()


def _key(limit: Limit, key: str) -> str:
    """Return the cache key. Names are hashed, because cache keys can't contain all characters."""
    return f"{limit.name}:{sha256(key.encode(errors='surrogatepass')).hexdigest()}"
