"""`Idempotency-Key`: a POST that is sent again does nothing again and gets the first answer.

The answer is kept in the transaction of what it tells of, so there is never one without the other.
A refusal keeps nothing: what was mended may be sent under the same key.
"""

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, TypeVar
from zlib import crc32

from django.db import connection, transaction
from django.http import HttpResponse
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.errors import BadHeader
from api.models import LONGEST_KEY, KeptAnswer
from api.resource import Resource
from league.models import User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"

View = TypeVar("View", bound=Resource)


class OtherRequest(APIException):
    status_code = 422
    default_detail = "This key was sent before with another request."
    default_code = "key-reused"


class InFlight(APIException):
    status_code = 409
    default_detail = "A request with this key is being answered: ask again."
    default_code = "in-flight"


def once(post: Callable[..., Response]) -> Callable[..., HttpResponse]:
    """Wrap a view's `post` so that a request with a key is carried out once."""

    @wraps(post)
    def post_once(view: Resource, *args: Any, **kwargs: Any) -> HttpResponse:
        key = _key(view)
        if key is None:
            return post(view, *args, **kwargs)
        user, asked = view.user, _asked(view)
        with transaction.atomic():
            _lock(user, key)
            if found := KeptAnswer.objects.filter(user=user, key=key).first():
                return _again(found, asked)
            answer = post(view, *args, **kwargs)
            if answer.status_code >= 400:
                transaction.set_rollback(True)
                return answer
            _keep(user, key, asked, answer)
        return answer

    post_once.answers_once = True  # type: ignore[attr-defined]
    return post_once


def _key(view: Resource) -> str | None:
    key: str | None = view.request.headers.get(HEADER)
    if key is not None and not (
        0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()
    ):
        raise BadHeader(HEADER, f"a key has 1 to {LONGEST_KEY} printable characters")
    return key


def _asked(view: Resource) -> str:
    """Return a hash of the request; the order of keys says nothing."""
    request = view.request
    said = [request.method, request.path, request.data]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _lock(user: User, key: str) -> None:
    """Let nobody else answer this key until the transaction ends. Raises InFlight.

    SQLite lets one transaction write at a time: whoever comes second finds the first one's answer.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        numbers = [user.pk % 2**31, crc32(key.encode()) - 2**31]
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", numbers)
        if not cursor.fetchone()[0]:
            raise InFlight


def _again(found: KeptAnswer, asked: str) -> HttpResponse:
    if found.asked != asked:
        raise OtherRequest
    answer = HttpResponse(found.body, status=found.status, content_type="application/json")
    answer[REPLAYED] = "true"
    if found.location:
        answer["Location"] = found.location
    return answer


def _keep(user: User, key: str, asked: str, answer: Response) -> None:
    KeptAnswer.objects.create(
        user=user,
        key=key,
        asked=asked,
        status=answer.status_code,
        location=answer.headers.get("Location", ""),
        body=JSONRenderer().render(answer.data).decode(),
    )
