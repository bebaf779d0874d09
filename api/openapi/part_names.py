"""Names for what stands unnamed in the OpenAPI document: a generator of clients makes one up.

Of a field with choices it makes `HowEnum`, of an answer without a serializer `Response200`.
"""

from collections.abc import Iterator
from typing import Any

from api.http.schema import REFERENCES, operations

# The choices of a parameter, by its name.
CHOICES = {"look": "ChartLook", "size": "ChartSize", "state": "NightState"}
# What an operation takes or answers that is no serializer's.
OBJECTS = {
    "ask_league": "ProtocolMessage",
    "get_game_schema": "GameSchema",
    "get_league_chart": "VegaLiteDocument",
    "get_player_chart": "VegaLiteDocument",
    "get_season_chart": "VegaLiteDocument",
}
BLANK, UNSAID = (
    "BlankEnum",
    "UnsaidUnit",
)  # of `amounts` of an import, which may be left to the file


def name_parts(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Make components of what a client would have to hold and that has no name yet."""
    schemas = result["components"].setdefault("schemas", {})
    for _path, _verb, operation in operations(result):
        for each in operation.get("parameters", ()):
            if "enum" in each["schema"] and each["name"] in CHOICES:
                _name(each, schemas, CHOICES[each["name"]])
        for content in _contents(operation):
            if _is_free(content.get("schema", {})) and operation["operationId"] in OBJECTS:
                _name(content, schemas, OBJECTS[operation["operationId"]])
    rows = schemas["ChartRows"]["properties"]["results"]
    schemas["ChartRow"], rows["items"] = rows["items"], {"$ref": f"{REFERENCES}ChartRow"}
    schemas[UNSAID] = schemas.pop(BLANK) | {"x-enum-varnames": ["UNSAID"]}
    _point(result["components"], f"{REFERENCES}{BLANK}", f"{REFERENCES}{UNSAID}")
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _name(holder: dict[str, Any], schemas: dict[str, Any], name: str) -> None:
    """Put the schema among the components, unless the name is there, and refer to it."""
    schemas.setdefault(name, holder["schema"])
    holder["schema"] = {"$ref": f"{REFERENCES}{name}"}


def _contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from each.get("content", {}).values()


def _is_free(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and "properties" not in schema


def _point(node: Any, old: str, new: str) -> None:
    """Let what refers to a component refer to it by its new name."""
    if isinstance(node, dict):
        if node.get("$ref") == old:
            node["$ref"] = new
        for each in node.values():
            _point(each, old, new)
    elif isinstance(node, list):
        for each in node:
            _point(each, old, new)
