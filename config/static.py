"""Static files under names that say their content, the imports of our script modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django keeps these private; writing its expressions again would be worse
Storage = CompressedManifestStaticFilesStorage
_, _IMPORTS = Storage._js_module_import_aggregation_patterns  # noqa: SLF001


class HashedFiles(Storage):  # type: ignore[misc]
    """Our modules import each other by relative path; those paths are rewritten too.

    Django's own switch for it rewrites every script, also those of packages, some of which name
    files that are not there.
    """

    patterns = (*Storage.patterns, ("league/js/*.js", _IMPORTS))
