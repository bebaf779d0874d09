"""What a tool is: a name, a sentence, what it takes and answers, and what it does.

What it takes is read strictly, as in a body of the API: a key that means nothing is an error.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from mcp_types import Tool as Described
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from api.mcp.asker import Asker
from league.common.errors import Problem, RefusedError, problem, refuse
from league.common.text import MOST_FAULTS, controlled, shown, unstorable
from rules.errors import escaped

MOST_PAGES = 1_000
USUAL_SIZE = 20
LARGEST_SIZE = 50
LONGEST_NAME = 200
CODES = {
    "missing": "missing",
    "extra_forbidden": "unknown-key",
    "string_too_long": "too-long",
    "literal_error": "bad-option",
    "enum": "bad-option",
}
# The `name` of an object that has the id of a player or the slug of a game as well.
Named = Annotated[str, Field(validation_alias="name")]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
JSON: TypeAdapter[Any] = TypeAdapter(Any)


class Untitled(GenerateJsonSchema):
    """A schema whose fields have no titles: an assistant reads it all, and names say as much."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class Arguments(BaseModel):
    """What a tool takes."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Paged(Arguments):
    """What a tool takes that answers in pages."""

    page: int = Field(1, ge=1, le=MOST_PAGES, description="1 for the first page")
    page_size: int = Field(USUAL_SIZE, ge=1, le=LARGEST_SIZE, description="rows of a page")

    @property
    def skipped(self) -> int:
        return (self.page - 1) * self.page_size

    @property
    def window(self) -> slice:
        """Return the slice of the page plus one row, which shows whether there are more."""
        return slice(self.skipped, self.skipped + self.page_size + 1)


class Row(BaseModel):
    """What a tool answers with, or a part of it; read from what the league found."""

    model_config = ConfigDict(from_attributes=True)


class Money(Row):
    """Minor units of a currency."""

    amount: int
    currency: str


class Page(Row):
    """Rows, and which page comes after them."""

    next_page: int | None = Field(description="the page after this one, null at the end")


Taken = TypeVar("Taken", bound=Arguments)
Each = TypeVar("Each")


def page_of(rows: Iterable[Each], asked: Paged) -> tuple[list[Each], int | None]:
    """Return the rows of a page, read by `window`, and the number of the page after it."""
    read = list(rows)
    more = len(read) > asked.page_size and asked.page < MOST_PAGES
    return read[: asked.page_size], asked.page + 1 if more else None


@dataclass(frozen=True, slots=True)
class Tool(Generic[Taken]):
    """A question that an assistant may ask."""

    name: str
    about: str
    takes: type[Taken]
    answers: type[Row]
    does: Callable[[Asker, Taken], Row]

    HINTS: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )

    def described(self) -> Described:
        """Return its description for assistants."""
        return Described(
            name=self.name,
            description=self.about,
            input_schema=self.takes.model_json_schema(schema_generator=Untitled),
            output_schema=self.answers.model_json_schema(
                mode="serialization", schema_generator=Untitled
            ),
            annotations=self.HINTS,
        )

    def answer(self, asker: Asker, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the answer as JSON says it.

        Raises RefusedError with all that is wrong with `sent`.
        """
        return self.does(asker, self._read(sent)).model_dump(mode="json", by_alias=True)

    def _read(self, sent: dict[str, Any]) -> Taken:
        refuse(unstorable(sent))
        refuse(_controlled(sent))
        try:
            return self.takes.model_validate_json(JSON.dump_json(sent))
        except ValidationError as error:
            raise RefusedError(_faults(error)) from None


def _controlled(sent: dict[str, Any]) -> Iterator[Problem]:
    for path in islice(controlled(sent), MOST_FAULTS):
        yield problem(
            "/".join(map(escaped, path)), "wrong-type", "a control character can't be meant here"
        )


def _faults(error: ValidationError) -> Iterator[Problem]:
    """Yield all that is wrong, each with its place, as the API tells it."""
    for fault in islice(error.errors(include_url=False, include_input=False), MOST_FAULTS):
        where = shown("/".join(escaped(str(part)) for part in fault["loc"]))
        text = "there is no such key here" if fault["type"] == "extra_forbidden" else fault["msg"]
        yield problem(where, CODES.get(fault["type"], "wrong-type"), shown(text))
