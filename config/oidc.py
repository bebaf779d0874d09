"""The one provider of OpenID Connect that people may sign in by, if there is one."""

from typing import Any

PROVIDER = "oidc"


def oidc_apps(*, name: str, server_url: str, client_id: str, secret: str) -> list[dict[str, Any]]:
    """Return the provider as allauth wants it; none without a name."""
    if not name:
        return []
    settings = {"server_url": server_url}
    app = {"provider_id": PROVIDER, "name": name, "client_id": client_id, "secret": secret}
    return [{**app, "settings": settings}]
