"""The Model Context Protocol: read-only access to a league for assistants, over stdio and HTTP.

Each tool corresponds to a GET request to the API by a caller who can read one league. The SDK is
optional. Modules import it only after `is_there` has confirmed that it is installed.
"""

from importlib.util import find_spec

MISSING = "Assistants require the package mcp, which isn't installed on this service."
TO_TYPE = (
    "This requires mcp: python -m pip install -r requirements/mcp.txt, or "
    "install the wheel with the extra [mcp]."
)


def is_there() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("mcp") is not None
