"""A tool: its name, its description, its argument and result types, and its function.

Arguments are validated strictly, as in the API. Unknown keys are errors.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from mcp_types import Tool as Described
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from api.http.paging import BadCursorError, encode_cursor, skipped_by
from api.mcp.caller import Caller
from league.common.errors import RefusedError, problem, refuse
from league.common.text import MOST_FAULTS, controlled, shown, unstorable
from rules.errors import escaped

USUAL_SIZE = 20
LARGEST_SIZE = 50
LONGEST_NAME = 200
LONGEST_CURSOR = 50
MOST_ROWS = 20_000  # maximum number of rows in a list, across all pages
CODES = {
    "missing": "missing",
    "extra_forbidden": "unknown-key",
    "string_too_long": "too-long",
    "literal_error": "bad-option",
    "enum": "bad-option",
}
# The `name` field of an object that also contains a player id or a game slug.
Named = Annotated[str, Field(validation_alias="name")]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Cursor = Annotated[str, Field(max_length=LONGEST_CURSOR)]
JSON: TypeAdapter[Any] = TypeAdapter(Any)


class Untitled(GenerateJsonSchema):
    """A schema without titles, which would only repeat field names and cost tokens."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Paged(Arguments):
    """The arguments of a tool that returns pages."""

    cursor: Cursor | None = Field(None, description="`next_cursor` of the previous page")
    page_size: int = Field(USUAL_SIZE, ge=1, le=LARGEST_SIZE, description="rows of a page")

    @property
    def skipped(self) -> int:
        """Return the number of rows before the page. Raises RefusedError for a bad cursor."""
        try:
            return skipped_by(self.cursor)
        except BadCursorError as error:
            raise RefusedError(error.errors) from None

    @property
    def window(self) -> slice:
        """Return the page as a slice, plus one more row that shows whether another page follows."""
        return slice(self.skipped, self.skipped + self.page_size + 1)


class Row(BaseModel):
    """The result of a tool or a part of it, read from the league's objects."""

    model_config = ConfigDict(from_attributes=True)


class Money(Row):
    """An amount in minor units of a currency."""

    amount: int
    currency: str


class Page(Row):
    """Rows, and the cursor of the next page."""

    next_cursor: str | None = Field(description="the `cursor` of the next page; null at the end")


Taken = TypeVar("Taken", bound=Arguments)
Each = TypeVar("Each")


def page_of(rows: Iterable[Each], query: Paged) -> tuple[list[Each], str | None]:
    """Return the rows of the page selected by `window`, and the cursor of the next page."""
    read, end = list(rows), query.skipped + query.page_size
    more = len(read) > query.page_size and end <= MOST_ROWS
    return read[: query.page_size], encode_cursor([end]) if more else None


@dataclass(frozen=True, slots=True)
class Tool(Generic[Taken]):
    """A question that an assistant can ask."""

    name: str
    about: str
    takes: type[Taken]
    answers: type[Row]
    does: Callable[[Caller, Taken], Row]

    HINTS: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )

    def described(self) -> Described:
        """Return the tool's description for assistants."""
        return Described(
            name=self.name,
            description=self.about,
            input_schema=self.takes.model_json_schema(schema_generator=Untitled),
            output_schema=self.answers.model_json_schema(
                mode="serialization", schema_generator=Untitled
            ),
            annotations=self.HINTS,
        )

    def answer(self, caller: Caller, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the result as JSON. Raises RefusedError with all errors in `sent`."""
        return self.does(caller, self._read(sent)).model_dump(mode="json", by_alias=True)

    def _read(self, sent: dict[str, Any]) -> Taken:
        refuse(unstorable(sent))
        refuse(
            problem(
                "/".join(map(escaped, path)), "wrong-type", "control characters are not allowed"
            )
            for path in islice(controlled(sent), MOST_FAULTS)
        )
        try:
            return self.takes.model_validate_json(JSON.dump_json(sent))
        except ValidationError as error:
            problems = []
            for fault in islice(error.errors(include_url=False, include_input=False), MOST_FAULTS):
                where = shown("/".join(escaped(str(part)) for part in fault["loc"]))
                is_unknown = fault["type"] == "extra_forbidden"
                text = "this key is unknown" if is_unknown else shown(fault["msg"])
                problems.append(problem(where, CODES.get(fault["type"], "wrong-type"), text))
            raise RefusedError(problems) from None
