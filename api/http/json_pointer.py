"""Where in a body something is wrong, as a JSON pointer (RFC 6901)."""

from urllib.parse import quote

POINTER = "pointer"
UNQUOTED = "/~!$&'()*+,;=:@?"  # of a fragment (RFC 3986, section 3.5)


def pointer(*path: str) -> str:
    """Return a JSON pointer as a fragment; "#" is the whole body. Its parts are escaped already."""
    return "/".join(["#", *(quote(each, safe=UNQUOTED) for each in path if each)])
