"""The schemas of a record and of an answer, as jsonschema checks them."""

from typing import Any

from jsonschema import Draft202012Validator

from rules.presentation.record_schema import record_schemas

SCHEMAS = record_schemas()


def validator(name: str, schemas: Any = None) -> Any:
    """What checks a value against one of the schemas, ours unless others are given."""
    components = {"schemas": SCHEMAS if schemas is None else schemas}
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})
