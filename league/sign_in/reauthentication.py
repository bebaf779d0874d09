"""How fresh a sign-in is: some doors want one of the last minutes, whatever the session may do.

A stolen phone or a browser that was left open should not make keys, change roles or end an account.
allauth keeps in the session when, and by what, its user has signed in; joining a league by its code
is no sign-in. Tokens are no sessions: what they may do is in their scope.
"""

import time
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from django.contrib.auth.base_user import AbstractBaseUser


def is_fresh(request: Any) -> bool:
    """Tell whether whoever asks has signed in within `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds."""
    records = get_authentication_records(request, request.user)
    latest = max((each["at"] for each in records), default=0)
    return bool(0 <= time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def note_sign_in(request: Any, user: AbstractBaseUser, method: str) -> None:
    """Keep in the session that the user has signed in just now."""
    record_authentication(request, user, method=method)
