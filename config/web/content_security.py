"""The sources from which pages may load. django-csp sends them in a header with every response.

Scripts and styles are loaded only from the service's own files, so a name that someone enters can't
run as a script.
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
