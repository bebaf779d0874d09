"""GET /api/v1/schema: valid OpenAPI, made without a warning, its operations by names to call."""

import re
from pathlib import Path

from django.core.management import call_command

from api.http.reference import document
from api.http.schema import operations

LOOKS = {"get", "list", "export", "follow"}
# What any resource knows, and the words of the table for the rest.
ACTS = set(
    "create update delete remove revoke replace cancel end accept decline withdraw undo check "
    "record open close reopen plan answer seat set resume settle correct void keep separate import "
    "join release sign ask confirm dispute ping enable retire rotate resend".split()
)


def test_the_document_is_valid_and_nothing_in_it_had_to_be_guessed(tmp_path: Path) -> None:
    file = tmp_path / "schema.yml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert file.read_text("utf-8").startswith("openapi: 3.1")


def test_each_operation_has_a_name_of_its_own() -> None:
    """A generator makes a function of each name (docs/decisions/0053-names-and-problems.md)."""
    names = [told["operationId"] for _, _, told in operations(document())]
    assert len(names) == len(set(names))
    assert {name.partition("_")[0] for name in names} == LOOKS | ACTS


def test_a_name_is_a_verb_and_a_noun() -> None:
    for path, method, told in operations(document()):
        name = told["operationId"]
        verb, _, noun = name.partition("_")
        assert re.fullmatch("[a-z]+(_[a-z]+)+", name), name
        assert (verb in LOOKS) == (method == "get"), name
        assert not set(re.findall(r"{(\w+)}", path)) & {name, noun}, name
        assert "_id" not in name, name
        if verb == "list":
            assert noun.endswith("s") or noun == "activity", name
