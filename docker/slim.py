"""Take out of an environment what only makes packages, tests them, or was collected already.

While the image is built: `slim.py FOLDER`, in the checkout, where the environment still runs.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from config.settings import INSTALLED_APPS, LANGUAGES

# Who has these could install something, or compile it.
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
# They wrap other languages, and maps: nothing here asks for them.
UNUSED = ("numpy/distutils", "numpy/f2py", "numpy/_core/_simd*", "django/contrib/gis")
TESTED_ELSEWHERE = {"numpy", "jsonschema", "icalendar", "csp", "referencing"}
# Where people have accounts; a hundred of them. The last three are what some are made of.
PROVIDERS = "allauth/socialaccount/providers"
MADE_OF = {"base", "oauth", "oauth2"}


def unneeded(packages: Path) -> Iterator[Path]:
    """Yield files and folders; those of our languages stay."""
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
    yield from packages.glob("*/**/static/*/")  # collected
    yield from (file for file in packages.rglob("*") if file.suffix in SOURCES)


for found in [*unneeded(Path(sys.argv[1]))]:
    if found.is_dir():
        shutil.rmtree(found)
    else:
        found.unlink(missing_ok=True)
for command in Path(sys.argv[1]).parents[2].glob("bin/pip*"):
    command.unlink()
