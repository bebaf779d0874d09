"""GET /api/v1/schema: a valid OpenAPI document without warnings, with usable operation ids."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management import call_command

from api.openapi.reference import document
from api.openapi.schema import operations
from tests.helpers.api.schema_digest import FILE, schema_digest

LOOKS = {"get", "list", "export", "follow"}
# The usual verbs for resources, plus the verbs used by all other operations.
ACTS = set(
    "create update delete remove revoke replace cancel end accept decline withdraw undo check "
    "record open close reopen plan answer seat set resume settle correct void keep separate import "
    "join release sign ask confirm dispute ping enable retire rotate resend object read".split()
)


def test_document_is_valid_without_warnings(tmp_path: Path) -> None:
    file = tmp_path / "schema.yml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert file.read_text("utf-8").startswith("openapi: 3.1")


def test_clients_were_generated_from_the_current_schema() -> None:
    """After a schema change, `make test-clients` generates the clients again."""
    assert FILE.read_text("utf-8").strip() == schema_digest()


def test_every_tag_has_a_description() -> None:
    schema = document()
    used = {tag for _, _, operation in operations(schema) for tag in operation["tags"]}
    used |= {tag for item in schema["webhooks"].values() for tag in item["post"]["tags"]}
    assert {tag["name"] for tag in schema["tags"] if tag["description"]} == used


def test_operation_ids_are_unique() -> None:
    """Generators name a function after each id (docs/decisions/0053-names-and-problems.md)."""
    names = [operation["operationId"] for _, _, operation in operations(document())]
    assert len(names) == len(set(names))
    assert {name.partition("_")[0] for name in names} == LOOKS | ACTS


def test_operation_id_consists_of_a_verb_and_a_noun() -> None:
    for path, method, operation in operations(document()):
        name = operation["operationId"]
        verb, _, noun = name.partition("_")
        assert re.fullmatch("[a-z]+(_[a-z]+)+", name), name
        assert (verb in LOOKS) == (method == "get"), name
        assert not set(re.findall(r"{(\w+)}", path)) & {name, noun}, name
        assert "_id" not in name, name
        if verb == "list":
            assert noun.endswith("s") or noun == "activity", name


def test_no_schema_has_a_position_based_name() -> None:
    """A generator names an unnamed schema after its position.

    Examples are `HowEnum`, `BoardItem` and `Response200`.
    """
    openapi = document()
    for name in openapi["components"]["schemas"]:
        assert not re.search(r"Enum$|^Patched|^Paginated|\d", name), name
    for place, schema, holds in _held(openapi["components"]["schemas"]):
        assert not holds or "properties" not in schema, place
    for _, _, operation in operations(openapi):
        for each in operation.get("parameters", ()):
            assert "enum" not in each["schema"], (operation["operationId"], each["name"])
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                assert content["schema"].get("type") != "object", operation["operationId"]


def _held(schemas: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield every schema with its path, and whether it is nested in a component."""
    waiting = [(name, part, False) for name, part in schemas.items()]
    while waiting:
        place, schema, holds = waiting.pop()
        yield place, schema, holds
        parts = {**schema.get("properties", {}), "items": schema.get("items")}
        parts |= {"others": schema.get("additionalProperties")}
        parts |= {str(number): part for number, part in enumerate(schema.get("anyOf", ()))}
        waiting += [
            (f"{place}/{name}", part, True)
            for name, part in parts.items()
            if isinstance(part, dict)
        ]
