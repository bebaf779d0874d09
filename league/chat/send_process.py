"""Sends one message with `apprise`, in a separate process. See `message`.

Every connection is checked when it is opened. The check uses the actual IP address, so that no host
name, redirect or proxy can bypass it. The parent process kills this process after a time limit.
"""

import base64
import json
import resource
import sys
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

MOST_MEMORY = 2 * 1024**3
Connect = Callable[[str, tuple[Any, ...]], None]


def main() -> None:
    """Send the message on standard input. Print the response statuses and blocked addresses."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    sys.path.insert(0, str(Path(__file__).parents[2]))
    message = json.load(sys.stdin)
    statuses: list[int] = []
    blocked: list[str] = []
    sys.addaudithook(_guard(message["networks"], message["ports"], blocked))
    arrived = _send(message, statuses)
    answer = {"arrived": arrived, "statuses": statuses, "blocked": blocked}
    json.dump(answer, sys.stdout)


def _guard(allowed: list[str], ports: list[int], blocked: list[str]) -> Connect:
    from league.sending.addresses import is_public, may_call, networks  # noqa: PLC0415 (the path)

    permitted = networks(allowed)

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "socket.connect":
            return
        to = arguments[1]
        if not isinstance(to, tuple):
            blocked.append("a socket of this machine")
            raise PermissionError
        address, port = ip_address(str(to[0]).partition("%")[0]), int(to[1])
        if not (may_call(address, port, permitted) or (port in ports and is_public(address))):
            blocked.append(f"port {port}" if is_public(address) else "a private address")
            raise PermissionError

    return check


def _send(job: dict[str, Any], statuses: list[int]) -> bool:
    import apprise  # noqa: PLC0415 (imported after the guard is installed)
    import requests  # noqa: PLC0415
    from apprise.attachment.memory import AttachMemory  # noqa: PLC0415

    def record_status(answer: requests.Response, *_rest: object, **_options: object) -> None:
        statuses.append(answer.status_code)

    begun = requests.Session.__init__

    def begin(session: requests.Session) -> None:
        begun(session)
        # ignore the proxies and password files of this machine
        vars(session).update(trust_env=False, hooks={"response": [record_status]})

    requests.Session.__init__ = begin  # type: ignore[method-assign,assignment]
    asset = apprise.AppriseAsset(plugin_paths=None, http_redirects=False, app_id=job["app"])
    sender = apprise.Apprise.instantiate(job["url"], asset=asset, suppress_exceptions=True)
    if sender is None:
        return False
    pictures = apprise.AppriseAttachment()
    if job["picture"]:
        content = base64.b64decode(job["picture"])
        png = AttachMemory(content=content, name="recap.png", mimetype="image/png")  # type: ignore[no-untyped-call]
        pictures.add(png)
    return bool(
        sender.notify(
            title=job["title"],
            body=job["body"],
            attach=pictures if job["picture"] else None,
            body_format=apprise.NotifyFormat.TEXT,
        )
    )


if __name__ == "__main__":
    main()
