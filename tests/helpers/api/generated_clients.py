"""Clients generated from the schema, with the commands and programs in docs/api.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.helpers.config.commands import FENCE, ROOT

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
NODE = ROOT / ".venv" / "clients"  # where `make test-clients` installs npm packages


def block(kind: str, having: str) -> str:
    """Return the page's only code block of this kind that contains these words."""
    [text] = [
        fence["text"]
        for fence in FENCE.finditer(PAGE)
        if fence["kind"] == kind and having in fence["text"]
    ]
    return text


def run(command: str, folder: Path, service: str) -> str:
    """Run a command from the page in a folder, against this service. Return its output."""
    packages = folder / "node_modules"
    if not packages.exists():
        packages.symlink_to(NODE / "node_modules")
    tools = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("http://localhost:8000", service)],
        cwd=folder,
        # npx uses the installed package without contacting a registry.
        env={**os.environ, "PATH": tools, "NO_COLOR": "1", "npm_config_offline": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert not re.search("warn|error", done.stdout, re.IGNORECASE), done.stdout
    return done.stdout
