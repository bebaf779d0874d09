"""How often strangers may try: codes, passwords, accounts. Counted in the cache, and forgotten.

Each limit is by address, by name, or over the whole service; docs/decisions/0022-who-may.md has the
numbers. Who was lately at an address is not locked out there by what strangers do elsewhere.
"""

import logging
from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from redis.exceptions import RedisError

from league.common.client_ip import note_seen, were_seen
from league.models import League, Membership, User

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """So many tries, counted together under a key, in so many seconds from the first."""

    name: str
    most: int
    seconds: int


# Somebody at a table mistypes now and then; somebody who guesses needs millions.
WRONG_CODES_HERE = Limit("wrong-codes", 20, 600)
WRONG_CODES_ANYWHERE = Limit("wrong-codes-anywhere", 200, 3600)
# Beside the eight at one name from one address (AXES_FAILURE_LIMIT).
WRONG_PASSWORDS_HERE = Limit("wrong-passwords-here", 40, 900)
WRONG_PASSWORDS_OF_NAME = Limit("wrong-passwords-of-name", 100, 3600)
# Of whoever is signed in already and gives it again, wherever that session is carried to.
WRONG_PASSWORDS_AGAIN = Limit("wrong-passwords-again", 40, 3600)
SIGN_UPS_HERE = Limit("sign-ups", 20, 3600)
# A whole table may answer from one address, and change its mind.
ANSWERS_HERE = Limit("answers-by-link", 60, 600)


def is_spent(limit: Limit, key: str = "") -> bool:
    """Tell whether it was tried too often lately. Nobody is counted while the cache is away."""
    try:
        return int(cache.get(_key(limit, key), 0)) >= limit.most
    except RedisError as error:
        logger.warning("Nobody is counted: %s", error)
        return False


def count(limit: Limit, key: str = "") -> None:
    """Count one more try."""
    at = _key(limit, key)
    try:
        if not cache.add(at, 1, limit.seconds):
            cache.incr(at)
    except ValueError:  # it was forgotten in between
        cache.add(at, 1, limit.seconds)
    except RedisError as error:
        logger.warning("Nobody is counted: %s", error)


def may_try_code(address: str, league: League | None) -> bool:
    """Tell whether a code may be tried from there; `league` is where it leads, if anywhere.

    A table whose people were seen at the address joins whatever others guess elsewhere. The answer
    says nothing about the code: whoever is known there is in the league already.
    """
    if is_spent(WRONG_CODES_HERE, address):
        return False
    return not is_spent(WRONG_CODES_ANYWHERE) or (league is not None and _knows(league, address))


def note_wrong_code(address: str) -> None:
    """Count a wrong code against its address, and against all codes."""
    count(WRONG_CODES_HERE, address)
    count(WRONG_CODES_ANYWHERE)


def may_try_password(address: str, name: str) -> bool:
    """Tell whether a password may be tried from there, for a name that need not exist.

    Guesses at one name from everywhere lock it where its owner was not seen lately.
    """
    if is_spent(WRONG_PASSWORDS_HERE, address):
        return False
    return not is_spent(WRONG_PASSWORDS_OF_NAME, _called(name)) or _is_at(name, address)


def note_wrong_password(address: str, name: str) -> None:
    """Count a wrong password against its address, and against the name that it was tried at."""
    count(WRONG_PASSWORDS_HERE, address)
    if not _is_at(name, address):
        count(WRONG_PASSWORDS_OF_NAME, _called(name))


def may_try_password_again(address: str, user: User) -> bool:
    """Tell whether whoever is signed in as the user may give the password once more.

    Where a stolen session is used its user counts as seen, so that no place is let off here.
    """
    spent = is_spent(WRONG_PASSWORDS_HERE, address)
    return not spent and not is_spent(WRONG_PASSWORDS_AGAIN, str(user.pk))


def note_wrong_password_again(address: str, user: User) -> None:
    """Count a wrong password of a session against its address, and against its user."""
    count(WRONG_PASSWORDS_HERE, address)
    count(WRONG_PASSWORDS_AGAIN, str(user.pk))


def note_signed_in(address: str, user: User) -> None:
    """Remember where somebody has signed in."""
    note_seen(user.pk, address)


def may_sign_up(address: str) -> bool:
    """Tell whether one more account may be made from there."""
    return not is_spent(SIGN_UPS_HERE, address)


def note_sign_up(address: str) -> None:
    """Count an account against the address that it was made from."""
    count(SIGN_UPS_HERE, address)


def _knows(league: League, address: str) -> bool:
    members = Membership.objects.filter(league=league).values_list("user", flat=True)
    return _were_seen(list(members), address)


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
    """Return the key in the cache, which takes no names as people type them."""
    return f"{limit.name}:{sha256(key.encode(errors='surrogatepass')).hexdigest()}"
