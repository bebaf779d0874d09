"""Remove build tools, tests and already collected files from an environment.

Used while the image is built: `slim.py FOLDER`, in the checkout, with a working environment.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from config.settings import INSTALLED_APPS, LANGUAGES

# Tools for installing or compiling packages.
TOOLS = (
    "pip",
    "pip-*",
    "setuptools",
    "setuptools-*",
    "pkg_resources",
    "_distutils_hack",
    "distutils-*",
)
SOURCES = {".a", ".c", ".h", ".po", ".pxd", ".pyi", ".pyx"}
# Unused parts: bindings for other languages, and GIS.
UNUSED = ("numpy/distutils", "numpy/f2py", "numpy/_core/_simd*", "django/contrib/gis")
TESTED_ELSEWHERE = {"numpy", "jsonschema", "icalendar", "csp", "referencing"}
# allauth's hundred sign-in providers. The last three names are the base modules that they share.
PROVIDERS = "allauth/socialaccount/providers"
MADE_OF = {"base", "oauth", "oauth2"}


def unneeded(packages: Path) -> Iterator[Path]:
    """Yield files and folders to remove. Locales of the service's languages are kept."""
    spoken = {code.partition("-")[0] for code, _ in LANGUAGES}
    for name in (*TOOLS, *UNUSED):
        yield from packages.glob(name)
    for package in TESTED_ELSEWHERE:
        yield from (packages / package).rglob("tests")
    for words in ("locale", "i18n"):
        for folder in packages.glob(f"*/**/{words}/*/"):
            if folder.name.partition("_")[0] not in spoken | {"", "en"}:
                yield folder
    named = {each.rpartition(".")[2] for each in INSTALLED_APPS} | MADE_OF
    yield from (each for each in (packages / PROVIDERS).glob("*/") if each.name not in named)
    yield from packages.glob("*/**/static/*/")  # these files are already collected into STATIC_ROOT
    yield from (file for file in packages.rglob("*") if file.suffix in SOURCES)


for found in [*unneeded(Path(sys.argv[1]))]:
    if found.is_dir():
        shutil.rmtree(found)
    else:
        found.unlink(missing_ok=True)
for command in Path(sys.argv[1]).parents[2].glob("bin/pip*"):
    command.unlink()
