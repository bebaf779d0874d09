"""The base of all API views: authentication, validation and serialization.

Every response to a GET has an ETag computed from its content. A client with the current version
gets 304. Long responses are compressed. `fields=` selects the fields of each row.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar, NoReturn, TypeVar

from django.db.models import Model
from django.http import Http404
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import http_date
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed, PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, ListSerializer, Serializer
from rest_framework.views import APIView

from api.http.authentication import LINK_KEY, LinkBearer, visitor_of
from api.http.errors import BadQueryError, StaleSignInError
from api.http.fields import validated
from api.http.filters import FilterBackend
from api.http.paging import PAGE_PARAMETERS, short_page
from api.http.throttles import limit_headers
from api.openapi.schema import deprecation_of
from league.access import Visitor, signed_in
from league.common.errors import problem
from league.common.text import shown
from league.models import User
from league.models.shared import ClientKeyed
from league.people.api_keys import link_of
from league.sign_in.authentication import is_fresh

FIELDS = "fields"
NO_LINK = "A feed link can't be used for this URL. Use a token."
Row = TypeVar("Row", bound=Model)


@method_decorator(gzip_page, "dispatch")
@method_decorator(conditional_page, "dispatch")
class Resource(APIView):
    """An API endpoint."""

    parameters: ClassVar[frozenset[str]] = frozenset()
    allows_feed_link: ClassVar[bool] = False  # whether the view accepts a feed link's key
    selects_fields: ClassVar[bool] = True  # whether the `fields` parameter applies
    is_short_list: ClassVar[bool] = False
    # the request body's serializer, set when the body is validated
    body_kind: type[Serializer[Any]] | None = None
    # Methods for which a session requires a fresh sign-in. Tokens do not need one.
    needs_fresh_sign_in: ClassVar[frozenset[str]] = frozenset()

    @property
    def visitor(self) -> Visitor:
        return visitor_of(self.request)

    @property
    def user(self) -> User:
        """Return the signed-in user. Raises PermissionDenied for a feed link."""
        return signed_in(self.visitor)

    def get_authenticators(self) -> list[BaseAuthentication]:
        usual = super().get_authenticators()
        reads = getattr(self.request, "method", "GET") in SAFE_METHODS
        return [LinkBearer(), *usual] if self.allows_feed_link and reads else usual

    def permission_denied(
        self, request: Request, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        """Raise PermissionDenied instead of 401 for a feed link that is not accepted here."""
        if link_of(request.query_params.get(LINK_KEY, "")):
            raise PermissionDenied(NO_LINK)
        super().permission_denied(request, message, code)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not hasattr(self, str(request.method).lower()):
            raise MethodNotAllowed(str(request.method))
        if str(request.method) in self.needs_fresh_sign_in:
            self.require_fresh_sign_in()
        unknown = sorted(set(request.query_params) - self.known_parameters())
        if unknown:
            text = "this parameter is unknown"
            raise BadQueryError(
                problem(shown(parameter), "unknown-parameter", text) for parameter in unknown
            )
        empty = [name for name in sorted(request.query_params) if request.query_params[name] == ""]
        if empty:
            raise BadQueryError(
                problem(parameter, "missing", "this must not be empty") for parameter in empty
            )
        twice = sorted(key for key, texts in request.query_params.lists() if len(texts) > 1)
        if twice:
            raise BadQueryError(
                problem(parameter, "told-twice", "this is repeated") for parameter in twice
            )

    def require_fresh_sign_in(self) -> None:
        """Raise StaleSignInError for a session without a fresh sign-in."""
        if not self.request.auth and not is_fresh(self.request):
            raise StaleSignInError

    def known_parameters(self) -> set[str]:
        """Return the names of this view's query parameters. Other parameters are rejected."""
        names = set(self.parameters)
        if self.selects_fields and self.request.method in SAFE_METHODS:
            names.add(FIELDS)
        return names | {LINK_KEY} if self.allows_feed_link else names

    def validated_body(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        """Return the validated body. Raises ValidationError with all errors.

        Errors that services report later use this body's field names (`api.http.errors`).
        """
        self.body_kind = kind
        return validated(kind, self.request.data)

    def serialize(
        self, kind: type[BaseSerializer[Any]], row: Any, *, many: bool = False, **context: Any
    ) -> Any:
        """Return the row or rows as JSON. For GET requests, `fields` selects the fields."""
        serializer = kind(row, many=many, context={"request": self.request, **context})
        self.select_fields(serializer)
        return serializer.data

    def created(
        self, kind: type[BaseSerializer[Any]], row: Any, at: str, *, status: int = 201
    ) -> Response:
        """Return the row as JSON, with its URL in the Location header."""
        return Response(self.serialize(kind, row), status=status, headers={"Location": at})

    def select_fields(self, serializer: BaseSerializer[Any]) -> None:
        """Remove fields that were not requested. Raises BadQueryError for an unknown field."""
        wanted = self.request.query_params.get(FIELDS)
        if wanted is None or self.request.method not in SAFE_METHODS:
            return
        row: Any = serializer.child if isinstance(serializer, ListSerializer) else serializer
        names = set(wanted.split(","))
        unknown = sorted(names - set(row.fields))
        if unknown:
            text = f"there is no field {shown(unknown[0])}: {', '.join(row.fields)}"
            raise BadQueryError([problem(FIELDS, "unknown-field", text)])
        for name in set(row.fields) - names:
            row.fields.pop(name)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        # Clients may store the response to a GET if they revalidate it. The middleware
        # (`config.web.middleware`) adds the header for browser sessions, because adding it here
        # would remove the ETag.
        is_safe = request.method in SAFE_METHODS
        caching = "private, no-cache" if is_safe else "private, no-store"
        final.headers.setdefault("Cache-Control", caching)
        for name, text in limit_headers(request).items():
            final.headers[name] = text
        if deprecation := deprecation_of(self, str(request.method)):
            for name, text in deprecation.headers().items():
                before = final.headers.get(name) if name == "Link" else None
                final.headers[name] = f"{before}, {text}" if before else text
        return final


class PublicResource(Resource):
    """A public endpoint without league data."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def known_parameters(self) -> set[str]:
        # clients may send a feed link's key to any URL
        return super().known_parameters() | {LINK_KEY}


class ShortList(Resource):
    """A list that is computed as a whole. It is a single page unless `page_size` is given."""

    is_short_list = True

    def known_parameters(self) -> set[str]:
        names = super().known_parameters()
        return names | PAGE_PARAMETERS if self.request.method in SAFE_METHODS else names

    def page(
        self, kind: type[BaseSerializer[Any]], rows: Iterable[Any], **context: Any
    ) -> Response:
        """Return the requested page of these rows."""
        page, links = short_page(rows, self.request)
        return Response({**links, "results": self.serialize(kind, page, many=True, **context)})


class ListResource(Resource, ListAPIView[Row]):
    """A filtered, paginated list of rows."""

    operation_id: ClassVar[str]  # the operation id of the list endpoint in the schema
    filter_backends = (FilterBackend,)

    def known_parameters(self) -> set[str]:
        names = super().known_parameters()
        if self.request.method not in SAFE_METHODS:
            return names
        filters = getattr(self, "filterset_class", None)
        return names | PAGE_PARAMETERS | set(filters.base_filters if filters else ())

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        serializer = super().get_serializer(*args, **kwargs)
        self.select_fields(serializer)
        return serializer


def status_of(row: ClientKeyed) -> int:
    """Return 201 if this request created the row, or 200 if an earlier request did."""
    return 201 if row.is_new else 200


def dated(response: Response, at: datetime) -> Response:
    """Add the Last-Modified header, unless `at` is too recent."""
    seconds = last_modified(at)
    if seconds is not None:
        response.headers["Last-Modified"] = http_date(seconds)
    return response


def last_modified(at: datetime | None) -> int | None:
    """Return the time in seconds, or None if it is less than a second ago.

    The header has a resolution of one second.
    """
    if at is None or timezone.now() - at <= timedelta(seconds=1):
        return None
    return int(at.timestamp())


class NoSuchAddress(PublicResource):
    """Any unknown URL in the API. The response is a problem document."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
