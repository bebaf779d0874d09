"""GET /api/v1/schema: valid OpenAPI, made without a warning."""

from pathlib import Path

from django.core.management import call_command


def test_the_document_is_valid_and_nothing_in_it_had_to_be_guessed(tmp_path: Path) -> None:
    file = tmp_path / "schema.yml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert file.read_text("utf-8").startswith("openapi: 3.1")
