"""Hands to replay: public files, and hands in a short notation."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")


def public_files() -> list[Path]:
    """Return public PHH files, stored next to the repository or in PHH_FILES.

    Most machines do not have any.
    """
    response = os.environ.get("PHH_FILES")
    folders = (
        [Path(response)] if response else [parent / "shared" / "phh" for parent in ROOT.parents]
    )
    return sorted(path for folder in folders for path in folder.glob("*.phh"))


def record(
    variant: str, stacks: Sequence[int], actions: Sequence[str], **more: Any
) -> dict[str, Any]:
    """Return a record with actions. By default the last player deals."""
    players = [{"name": name} for name, _ in zip(NAMES, stacks, strict=False)]
    return {
        "variant": variant,
        "button": len(players) - 1,
        "players": players,
        "stacks": list(stacks),
        "actions": list(actions),
        **more,
    }
