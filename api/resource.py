"""What the addresses of the API do alike: who asks, what is asked for, how it is answered.

Every answer to a GET carries an ETag made of what it says, so that a client that has it already is
told so (304); long ones are compressed. `fields=` picks what a client wants of each row.
"""

from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar

from django.db.models import Model
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import http_date
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.generics import ListAPIView
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, ListSerializer, Serializer
from rest_framework.views import APIView

from api.authentication import LINK_KEY, LinkBearer, visitor_of
from api.errors import BadQuery
from api.filters import Filtering
from league.access import Visitor, signed_in
from league.models import User
from league.refusals import fault
from league.texts import shown

FIELDS = "fields"
Row = TypeVar("Row", bound=Model)


@method_decorator(gzip_page, "dispatch")
@method_decorator(conditional_page, "dispatch")
class Resource(APIView):
    """An address of the API; `feeds` says that a feed link reads it too, `picks` that its answer
    has fields to choose from.
    """

    parameters: ClassVar[frozenset[str]] = frozenset()
    feeds: ClassVar[bool] = False
    picks: ClassVar[bool] = True

    @property
    def visitor(self) -> Visitor:
        return visitor_of(self.request)

    @property
    def user(self) -> User:
        """Return who does it. PermissionDenied for a feed link."""
        return signed_in(self.visitor)

    def get_authenticators(self) -> list[BaseAuthentication]:
        usual = super().get_authenticators()
        reads = getattr(self.request, "method", "GET") in SAFE_METHODS
        return [LinkBearer(), *usual] if self.feeds and reads else usual

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not hasattr(self, str(request.method).lower()):
            raise MethodNotAllowed(str(request.method))
        unknown = sorted(set(request.query_params) - self.known_parameters())
        if unknown:
            text = "there is no such parameter here"
            raise BadQuery(fault(shown(each), "unknown-parameter", text) for each in unknown)
        twice = sorted(key for key, told in request.query_params.lists() if len(told) > 1)
        if twice:
            raise BadQuery(fault(each, "told-twice", "this stands here twice") for each in twice)

    def known_parameters(self) -> set[str]:
        """Return the parameters that mean something in this address; a misspelt one is told."""
        known = set(self.parameters)
        if self.picks and self.request.method in SAFE_METHODS:
            known.add(FIELDS)
        return known | {LINK_KEY} if self.feeds else known

    def asked(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        """Return what the body says. Raises ValidationError with all that is wrong with it."""
        sent = kind(data=self.request.data)
        sent.is_valid(raise_exception=True)
        found: dict[str, Any] = sent.validated_data
        return found

    def told(
        self, kind: type[BaseSerializer[Any]], row: Any, *, many: bool = False, **context: Any
    ) -> Any:
        """Return the row, or rows, as JSON says them: of a GET, the fields that were asked for."""
        told = kind(row, many=many, context=context)
        self.pick(told)
        return told.data

    def pick(self, told: BaseSerializer[Any]) -> None:
        """Leave only the fields that were asked for. Raises BadQuery for one that is none."""
        wanted = self.request.query_params.get(FIELDS)
        if wanted is None or self.request.method not in SAFE_METHODS:
            return
        kind: Any = told.child if isinstance(told, ListSerializer) else told
        names = set(wanted.split(","))
        unknown = sorted(names - set(kind.fields))
        if unknown:
            text = f"there is no field {shown(unknown[0])}: {', '.join(kind.fields)}"
            raise BadQuery([fault(FIELDS, "unknown-field", text)])
        for name in set(kind.fields) - names:
            kind.fields.pop(name)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        return answer


class Open(Resource):
    """An address for anyone: nothing of a league is in it."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class Listing(Resource, ListAPIView[Row]):
    """Rows in pages, filtered."""

    filter_backends = (Filtering,)

    def known_parameters(self) -> set[str]:
        known = super().known_parameters()
        if self.request.method not in SAFE_METHODS:
            return known
        filters = getattr(self, "filterset_class", None)
        return known | {"cursor", "page_size"} | set(filters.base_filters if filters else ())

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        told = super().get_serializer(*args, **kwargs)
        self.pick(told)
        return told


def dated(answer: Response, at: datetime) -> Response:
    """Say when it last changed, if that can be said."""
    seconds = last_modified(at)
    if seconds is not None:
        answer.headers["Last-Modified"] = http_date(seconds)
    return answer


def last_modified(at: datetime | None) -> int | None:
    """Return when it last changed; not within the second, which the header can't tell apart."""
    if at is None or timezone.now() - at <= timedelta(seconds=1):
        return None
    return int(at.timestamp())
