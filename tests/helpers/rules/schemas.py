"""The JSON schemas of a record and an answer."""

from typing import Any

from jsonschema import Draft202012Validator

from rules.presentation.schemas import record_schemas

SCHEMAS = record_schemas()


def validator(name: str, schemas: Any = None) -> Any:
    """Return a validator for one of the schemas. By default, these are our own schemas."""
    components = {"schemas": SCHEMAS if schemas is None else schemas}
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})
