"""What a client that records a hand knew of the night: whether another one recorded the same."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from rest_framework.request import Request

from league.models import LONGEST_ORIGIN
from league.recording.conflicts import ClientContext


def client_context(
    request: Request, sent: Mapping[str, Any], *, corrects: bool
) -> ClientContext | None:
    """Return what the client knew; None where it does not say. A token or a session is a phone."""
    if "seen" not in sent:
        return None
    session = getattr(request, "session", None)
    key = getattr(request.auth, "pk", None) or (session and session.session_key) or request.user.pk
    origin = sha256(f"api {key}".encode()).hexdigest()[:LONGEST_ORIGIN]
    seen: int = sent["seen"]
    return ClientContext(
        origin=origin, seen=seen, number=sent.get("number", seen + 1), corrects=corrects
    )
