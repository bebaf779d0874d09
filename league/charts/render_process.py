"""Renders charts in a separate process.

The process reads documents as JSON and writes SVG. See `rendering`. The library blocks the
interpreter while it renders, for most of a second when it renders the first chart. In a server
process it would block all other requests.
"""

import json
import sys

import vl_convert


def main() -> None:
    """Render each document in the JSON list on standard input, or print null if one fails."""
    json.dump([_rendered(each) for each in json.load(sys.stdin)], sys.stdout)


def _rendered(document: dict[str, object]) -> str | None:
    try:
        # no base URL is allowed, because documents include their data
        return vl_convert.vegalite_to_svg(document, allowed_base_urls=[])
    except ValueError:
        return None


if __name__ == "__main__":
    main()
