"""Collects static files, minified and named after a hash of their content, including imports."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from whitenoise import storage

# These names are private in Django, but copying the regular expressions would be worse.
_IMPORTS = storage.CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
_USUAL = storage.CompressedManifestStaticFilesStorage.patterns
# The file that stores the hash of the sources.
COLLECTED = "collected"
OURS = "league/"
MINIFIED = {".js": rjsmin.jsmin, ".css": rcssmin.cssmin}


class HashedFiles(storage.CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Hashed file storage that also rewrites the relative imports in this service's modules.

    Django's own option rewrites every script, including scripts from packages, some of which import
    files that do not exist.
    """

    patterns = (*_USUAL, ("league/js/*.js", _IMPORTS))
    # A module's hash depends on the hashes of the modules that it imports, so each level of imports
    # may take a pass. Django's default is 5, and ours are 6 levels deep.
    max_post_process_passes = 20

    def _save(self, name: str, content: Any) -> str:
        """Minify this service's scripts and styles. A third of their size is comments."""
        minified = MINIFIED.get(Path(name).suffix) if name.startswith(OURS) else None
        if minified:
            text = b"".join(content.chunks()).decode()  # unlike read(), chunks() rewinds the file
            content = ContentFile(minified(text).encode())
        saved: str = super()._save(name, content)
        return saved


def is_collected(static: Path) -> bool:
    """Return whether the folder is up to date. Collecting files again would take seconds."""
    collected = static / COLLECTED
    return collected.exists() and collected.read_text() == _sources()


def store_source_hash(static: Path) -> None:
    """Store the hash of the source files in the folder."""
    (static / COLLECTED).write_text(_sources())


def _sources() -> str:
    """Return a hash of the names, sizes and modification times of all files."""
    sources = sha256()
    for finder in get_finders():
        for name, files in finder.list([]):
            status = Path(files.path(name)).stat()  # all static files are regular files
            sources.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return sources.hexdigest()
