"""A client in TypeScript: its types are made by openapi-typescript, as docs/api.md says."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from tests.clients.conftest import Service
from tests.helpers.api.generated_clients import block, run
from tests.helpers.league.leagues import holdem

COMPILE = "npx tsc --strict --target es2022 --module nodenext"
RECORD = """
import {{ record }} from "./record.js";
console.log(JSON.stringify(await record({arguments})));
"""


@pytest.fixture
def folder(service: Service, tmp_path: Path) -> Path:
    """Where the types are, and the program of the page beside them."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run(block("sh", "npx openapi-typescript"), tmp_path, service.url)
    (tmp_path / "record.ts").write_text(block("ts", "createClient"))
    return tmp_path


def test_the_types_are_those_of_a_strict_program(service: Service, folder: Path) -> None:
    assert "record_hand:" in (folder / "dealers-choice.d.ts").read_text("utf-8")
    assert run(f"{COMPILE} --noEmit dealers-choice.d.ts record.ts", folder, service.url) == ""


def test_a_program_that_sends_what_the_schema_does_not_have_is_not_compiled(
    service: Service, folder: Path
) -> None:
    page = folder / "record.ts"
    page.write_text(page.read_text().replace("{ id, record }", "{ id, recrod: record }"))
    with pytest.raises(AssertionError, match="recrod"):
        run(f"{COMPILE} --noEmit record.ts", folder, service.url)


def test_it_records_a_hand(service: Service, folder: Path) -> None:
    run(f"{COMPILE} record.ts", folder, service.url)
    night, hand_id = str(service.world.night.pk), str(uuid4())
    sent = [service.url, service.token, night, hand_id, holdem()]
    arguments = ", ".join(json.dumps(each) for each in sent)
    (folder / "main.js").write_text(RECORD.format(arguments=arguments))
    hand = json.loads(run("node main.js", folder, service.url))
    assert (hand["id"], hand["answer"]["won"]) == (hand_id, {"ann": 20, "bob": 0})
