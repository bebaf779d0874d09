"""The OpenAPI document, and a page that shows it without loading anything from other sites."""

from functools import cache
from threading import Lock
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.resource import PublicResource

JSON = "application/json"
# drf-spectacular loads its extensions on first use, which is not thread-safe.
_GENERATING = Lock()


class Schema(PublicResource):
    schema = None

    def get(self, request: Request) -> Response:
        return Response(document())


class Reference(SpectacularSwaggerSplitView):
    """The document as a page. Its script is a separate file, as required by our CSP."""

    schema = None
    url_name = "api:schema"
    template_name = "api/reference.html"
    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = [TemplateHTMLRenderer]  # noqa: RUF012 (declared so above)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Render all responses other than the page, such as errors and OPTIONS, as JSON."""
        if isinstance(response, Response) and not response.template_name:
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSON
        return super().finalize_response(request, response, *args, **kwargs)


def document() -> dict[str, Any]:
    """Return the OpenAPI document, which is the same for all callers."""
    with _GENERATING:
        return _document()


@cache
def _document() -> dict[str, Any]:
    generator = SchemaGenerator()
    made: dict[str, Any] = generator.get_schema(request=None, public=True)
    return made
