"""A refusal of a kind of its own; apart, since readers of bodies are loaded before any view."""

from typing import ClassVar

from rest_framework.exceptions import APIException

from api.problems.kinds import ProblemKind


class Refusal(APIException):
    """It can't be done, for the reason of its kind, in the words of its kind unless told."""

    kind: ClassVar[ProblemKind]

    def __init__(self, detail: str | None = None) -> None:
        self.status_code = self.kind.status
        super().__init__(detail or self.kind.detail)
