"""Where in a body something is wrong, as a JSON pointer (RFC 6901)."""

POINTER = "pointer"


def pointer(*path: str) -> str:
    """Return a JSON pointer as a fragment; "#" is the whole body."""
    return "/".join(["#", *(each for each in path if each)])
