"""`Idempotency-Key`: a repeated POST has no effect and returns the first response.

The response is stored in the same transaction as the change it describes. Error responses are not
stored, so the client can send a corrected request with the same key. A key belongs to the user's
session or to one token. The stored response is replayed only if the caller still has all the rights
that applied to the first request.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from typing import Any, TypeVar
from zlib import crc32

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.http.errors import BadHeaderError
from api.http.problems import KEY_IN_USE, KEY_REUSED, ApiError
from api.http.resource import Resource
from api.models import LONGEST_KEY, IdempotencyRecord
from league.access import Action, Visitor, leagues_opened, require, rights
from league.common.locks import try_lock
from league.models import League, Token, User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"

View = TypeVar("View", bound=Resource)


class OtherRequestError(ApiError):
    kind = KEY_REUSED


class RequestInFlightError(ApiError):
    kind = KEY_IN_USE


def idempotent(post: Callable[..., Response]) -> Callable[..., HttpResponse]:
    """Wrap a view's `post` so that a request with a key is executed once."""

    @wraps(post)
    def post_idempotently(view: Resource, *args: Any, **kwargs: Any) -> HttpResponse:
        key: str | None = view.request.headers.get(HEADER)
        if key is None:
            return post(view, *args, **kwargs)
        if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
            raise BadHeaderError(HEADER, f"a key has 1 to {LONGEST_KEY} printable characters")
        request = view.request
        content = [request.method, request.path, request.data]
        fingerprint = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        # the id of the token, or "" for the user's session
        bearer = str(request.auth.pk) if isinstance(request.auth, Token) else ""
        sender = {"user": view.user, "bearer": bearer, "key": key}
        with transaction.atomic(), leagues_opened() as leagues:
            _lock(view.user, f"{bearer}{key}")
            if record := IdempotencyRecord.objects.filter(**sender).first():
                return _replay(record, fingerprint, view.visitor)
            response = post(view, *args, **kwargs)
            if response.status_code >= 400:
                transaction.set_rollback(True)
                return response
            record = IdempotencyRecord(**sender, fingerprint=fingerprint)
            if leagues:
                record.league = str(leagues[0].pk)
                record.rights = ",".join(sorted(rights(view.visitor, leagues[0])))
            record.status = response.status_code
            record.location = response.headers.get("Location", "")
            record.body = JSONRenderer().render(response.data).decode()
            record.save(force_insert=True)
        return response

    post_idempotently.is_idempotent = True  # type: ignore[attr-defined]
    return post_idempotently


def _lock(user: User, key: str) -> None:
    """Lock this key until the transaction ends. Raises RequestInFlightError if it is locked.

    SQLite runs one write transaction at a time, so a second request finds the stored response.
    """
    if not try_lock(user.pk % 2**31, crc32(key.encode()) - 2**31):
        raise RequestInFlightError


def _replay(record: IdempotencyRecord, fingerprint: str, visitor: Visitor) -> HttpResponse:
    """Return the stored response. Raises PermissionDenied if the caller has since lost rights."""
    if record.fingerprint != fingerprint:
        raise OtherRequestError
    if record.league:
        league = get_object_or_404(League, pk=record.league)
        require(visitor, Action.VIEW, league)
        if not set(record.rights.split(",")) <= rights(visitor, league):
            raise PermissionDenied
    response = HttpResponse(record.body, status=record.status, content_type="application/json")
    response[REPLAYED] = "true"
    if record.location:
        response["Location"] = record.location
    return response


KEPT = timedelta(hours=24)


def delete_idempotency_records() -> None:
    """Delete stored responses that are older than `KEPT`."""
    IdempotencyRecord.objects.filter(made_at__lt=timezone.now() - KEPT).delete()
