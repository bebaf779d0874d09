"""Renders charts in a separate process.

The process reads documents as JSON and writes SVG. See `rendering`. The library blocks the
interpreter while it renders. The first chart takes most of a second, during which a server process
couldn't handle any other request.
"""

import json
import sys

import vl_convert


def main() -> None:
    """Render the JSON list of documents on standard input. A failed one becomes null."""
    svgs: list[str | None] = []
    for document in json.load(sys.stdin):
        try:
            # no base URL is allowed, because documents include their data
            svgs.append(vl_convert.vegalite_to_svg(document, allowed_base_urls=[]))
        except ValueError:
            svgs.append(None)
    json.dump(svgs, sys.stdout)


if __name__ == "__main__":
    main()
