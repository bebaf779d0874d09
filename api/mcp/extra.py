"""Check whether the optional SDK is installed. The service runs without it."""

from importlib.util import find_spec

MISSING = (
    "Assistants are answered by the package mcp, which this service has not got: install it there."
)
TO_TYPE = (
    "This wants mcp: python -m pip install -r requirements/mcp.txt, or where there is no checkout"
    " the wheel with its extra, [mcp]."
)


def is_there() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("mcp") is not None
