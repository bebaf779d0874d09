"""Settle a hand for anyone who asks; and what is no address at all."""

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import problem
from api.resource import Open
from api.schema import OBJECT, operation
from league.verdicts import answer_to


class Settle(Open):
    throttle_scope = "settle"
    parameters: ClassVar[frozenset[str]] = frozenset({"brief"})

    @operation(
        "Who wins what and why; nothing is stored",
        OBJECT,
        asks=OBJECT,
        parameters=(
            OpenApiParameter("brief", str, description="There: without `hands` and `story`."),
        ),
    )
    def post(self, request: Request) -> Response:
        answer = answer_to(request.data, brief="brief" in request.query_params)
        if "errors" in answer:
            return problem(400, "The record can't be settled.", errors=answer["errors"])
        return Response(answer)


class NoSuchAddress(Open):
    """Whatever is not an address of the API; a problem document like every other refusal."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
