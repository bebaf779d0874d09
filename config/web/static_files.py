"""Static files, collected: small, and under names that say their content, imports included."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from whitenoise import storage

# Django keeps these private; writing its expressions again would be worse
_IMPORTS = storage.CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
_USUAL = storage.CompressedManifestStaticFilesStorage.patterns
# Of what the files beside it were collected from.
COLLECTED = "collected"
OURS = "league/"
MINIFIED = {".js": rjsmin.jsmin, ".css": rcssmin.cssmin}


class HashedFiles(storage.CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our modules import each other by relative path; those paths are rewritten too.

    Django's own switch for it rewrites every script, also those of packages, some of which name
    files that are not there.
    """

    patterns = (*_USUAL, ("league/js/*.js", _IMPORTS))

    def _save(self, name: str, content: Any) -> str:
        """Keep our scripts and styles without their comments, which are a third of them."""
        minified = MINIFIED.get(Path(name).suffix) if name.startswith(OURS) else None
        if minified:
            text = b"".join(content.chunks()).decode()  # from its beginning: it was read before
            content = ContentFile(minified(text).encode())
        saved: str = super()._save(name, content)
        return saved


def is_collected(static: Path) -> bool:
    """Tell whether the folder has what collecting would put there: to compress takes seconds."""
    kept = static / COLLECTED
    return kept.exists() and kept.read_text() == _sources()


def keep_collected(static: Path) -> None:
    """Keep what the files were collected from."""
    (static / COLLECTED).write_text(_sources())


def _sources() -> str:
    """Return a hash of all files, told by name, size and time of change as `make` tells them."""
    told = sha256()
    for finder in get_finders():
        for name, files in finder.list([]):
            found = Path(files.path(name)).stat()  # all of them lie in folders
            told.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return told.hexdigest()
