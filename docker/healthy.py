"""Check the health of a web process, by default in this container. Exit with 0 if it is healthy."""

import http.client
import os
import sys
import time

PORT = 8000


def ask(path: str, host: str = "127.0.0.1") -> bool:
    """Print the response. Return whether its status is 200."""
    connection = http.client.HTTPConnection(host, PORT, timeout=4)
    try:
        connection.request("GET", path, headers=_authorization())
        answer = connection.getresponse()
        sys.stdout.write(answer.read().decode() + "\n")
    except OSError as error:
        sys.stdout.write(f"{error}\n")
        return False
    finally:
        connection.close()
    return answer.status == http.HTTPStatus.OK


def _authorization() -> dict[str, str]:
    """Return a header with the token, which is required for details in the response."""
    token = os.environ.get("METRICS_TOKEN", "").strip()
    return {"Authorization": f"Bearer {token}"} if token else {}


def wait(path: str = "/healthz", host: str = "127.0.0.1", seconds: str = "0") -> bool:
    """Repeat the request every second until the status is 200, for up to `seconds`."""
    ends = time.monotonic() + float(seconds)
    while not (healthy := ask(path, host)) and time.monotonic() < ends:
        time.sleep(1)
    return healthy


if __name__ == "__main__":
    sys.exit(0 if wait(*sys.argv[1:]) else 1)
