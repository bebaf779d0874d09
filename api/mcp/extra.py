"""Check whether the optional SDK is installed. The service runs without it."""

from importlib.util import find_spec

MISSING = "Assistants require the package mcp, which isn't installed on this service."
TO_TYPE = (
    "This requires mcp: python -m pip install -r requirements/mcp.txt, or "
    "install the wheel with the extra [mcp]."
)


def is_there() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("mcp") is not None
