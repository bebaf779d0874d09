"""A small local OpenID Connect provider that follows the specification."""

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "dealers-choice", "a secret of the provider"


@dataclass
class Provider:
    """The signed-in user, the requests received, and false responses that a test configures."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "7", "name": "Ann"})
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    issuer: str = ""
    audience: str = CLIENT
    token_at: str = ""
    key: Any = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": self.token_at or f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def approve(self, address: str) -> str:
        """Sign the user in as a redirected browser would. Return the URL to return to."""
        query = {key: told[0] for key, told in parse_qs(urlsplit(address).query).items()}
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def token(self, fields: dict[str, str]) -> dict[str, Any] | None:
        request = self.codes.pop(fields.get("code", ""), None)
        proof = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        if (
            not request
            or fields["client_secret"] != SECRET
            or challenge != request["code_challenge"]
        ):
            return None
        now = int(time.time())
        claims = {"iss": self.issuer or self.url, "aud": self.audience, **self.person}
        claims |= {"iat": now, "exp": now + 60}
        signed = jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "1"})
        return {"access_token": "access", "token_type": "Bearer", "id_token": signed}


@contextmanager
def running() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider.asked.append(self.path)
            answers = {
                "/.well-known/openid-configuration": provider.configuration(),
                "/userinfo": provider.person,
            }
            self.answer(answers.get(self.path))

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = {key: values[0] for key, values in parse_qs(body).items()}
            self.answer(provider.token(fields) if self.path == "/token" else None)

        def answer(self, fields: dict[str, Any] | None) -> None:
            body = json.dumps(fields or {"error": "invalid_grant"}).encode()
            self.send_response(200 if fields else 400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
