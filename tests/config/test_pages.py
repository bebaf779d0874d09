import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/health", "/sign-in", "/no-such-page", "/api/v1/nothing"])
def test_every_response_has_a_strict_content_security_policy(client: Client, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["object-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "*" not in policy
