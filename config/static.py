"""Static files under names that say their content, the imports of script modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Our modules import each other by relative path; those paths are rewritten too."""

    support_js_module_import_aggregation = True
