"""Where a page may load from. django-csp sends this in a header of every response.

Scripts and styles come from our own files only, so that a name typed at the table can never run.
"""

from csp.constants import NONE, SELF

POLICY = {
    "default-src": [SELF],
    "img-src": [SELF, "data:"],
    "style-src": [SELF],
    "script-src": [SELF],
    "connect-src": [SELF],
    "manifest-src": [SELF],
    "worker-src": [SELF],
    "object-src": [NONE],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}
