"""The secret key of an installation that was not given one."""

import os
import secrets
import tempfile
from pathlib import Path

from config.data.private_files import make_folder


def kept_secret_key(path: Path) -> str:
    """Return the secret kept at `path`, made there first if there is none."""
    if not path.exists():
        _write_once(path, secrets.token_urlsafe(50))
    return path.read_text().strip()


def _write_once(path: Path, secret: str) -> None:
    """Write with mode 600; of two processes that start at once, the first wins."""
    make_folder(path.parent)
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(secret)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()
