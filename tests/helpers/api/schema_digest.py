"""The digest of the schema that clients are generated from, without descriptions.

`make test-clients` generates the clients and then runs this module to store the digest.
"""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "clients" / "schema.sha256"
TEXTS = {"description", "summary", "title", "example", "examples", "version"}


def schema_digest() -> str:
    from api.openapi.reference import document  # noqa: PLC0415 (settings come first)

    return sha256(json.dumps(_without_texts(document()), sort_keys=True).encode()).hexdigest()


def _without_texts(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_texts(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_texts(value)
        for key, value in part.items()
        # if a property has this name, its value is a schema, not a description
        if key not in TEXTS or (isinstance(value, dict) and key not in {"example", "examples"})
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    FILE.write_text(f"{schema_digest()}\n", "utf-8")
