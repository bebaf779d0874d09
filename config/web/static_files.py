"""Static files under names that say their content, the imports of our script modules included."""

from whitenoise import storage

# Django keeps these private; writing its expressions again would be worse
_IMPORTS = storage.CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # noqa: SLF001
_USUAL = storage.CompressedManifestStaticFilesStorage.patterns


class HashedFiles(storage.CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our modules import each other by relative path; those paths are rewritten too.

    Django's own switch for it rewrites every script, also those of packages, some of which name
    files that are not there.
    """

    patterns = (*_USUAL, ("league/js/*.js", _IMPORTS))
