"""The version of the pages. When it changes, phones fetch the files again."""

import hashlib
from functools import cache

from django.conf import settings

SOURCES = ("league/pages", "league/static", "rules", "templates")


@cache
def version() -> str:
    """Return a hash of the pages' source files."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
