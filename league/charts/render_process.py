"""Draws: documents in, one JSON line, SVG out. A process of its own, see `rendering`.

The library holds on to the interpreter while it draws, most of a second for its first chart;
nothing else of a server would move meanwhile.
"""

import json
import sys

import vl_convert


def main() -> None:
    """Draw each document of standard input, a JSON list; null for one that can't be drawn."""
    json.dump([_rendered(each) for each in json.load(sys.stdin)], sys.stdout)


def _rendered(document: dict[str, object]) -> str | None:
    try:
        # no address is allowed: what is drawn comes with the document
        return vl_convert.vegalite_to_svg(document, allowed_base_urls=[])
    except ValueError:
        return None


if __name__ == "__main__":
    main()
