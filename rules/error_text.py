"""What somebody typed, as an error may repeat it."""


def quoted(value: object, *, quote: bool = True) -> str:
    """A value as an error may repeat it: short and printable."""
    text = (value if isinstance(value, str) else str(value))[:60]
    plain = text if text.isprintable() else text.encode("unicode_escape").decode()
    return f"'{plain}'" if quote else plain


def path_part(key: object) -> str:
    """Return a key as a part of a path such as "took/ann", escaped as in a JSON pointer."""
    return escaped(quoted(key, quote=False))


def escaped(part: str) -> str:
    """Escape a part of a JSON pointer (RFC 6901, section 3)."""
    return part.replace("~", "~0").replace("/", "~1")
