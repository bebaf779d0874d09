"""What somebody typed, as an error may repeat it."""


def quoted(value: object, *, quote: bool = True) -> str:
    """A value as an error may repeat it: short and printable."""
    text = (value if isinstance(value, str) else str(value))[:60]
    plain = text if text.isprintable() else text.encode("unicode_escape").decode()
    return f"'{plain}'" if quote else plain
