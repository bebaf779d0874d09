"""Settle a hand for anyone who asks."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.errors import is_too_much, problem_response, too_much_work
from api.http.fields import ANSWER, RECORD
from api.http.resource import PublicResource
from api.http.schema import operation
from api.problems.kinds import BAD_CONTENT
from league.hands.validation import answer_to


class Settle(PublicResource):
    throttle_scope = "settle"
    parameters: ClassVar[frozenset[str]] = frozenset({"brief"})
    flags: ClassVar[frozenset[str]] = frozenset({"brief"})

    @operation(
        "settle_hand",
        "Who wins what and why; nothing is stored",
        ANSWER,
        body=RECORD,
        parameters=(
            OpenApiParameter(
                "brief", str, description="There: without `hands`, `story`, `reasons`."
            ),
        ),
    )
    def post(self, request: Request) -> Response:
        answer = answer_to(request.data, brief="brief" in request.query_params)
        if is_too_much(answer.get("errors", ())):
            return too_much_work(answer["errors"])
        if "errors" in answer:
            return problem_response(
                BAD_CONTENT, "The record can't be settled.", errors=answer["errors"]
            )
        return Response(answer)
