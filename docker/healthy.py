"""Ask a web process how it is, by default that of this container; exits with 0 where it is well."""

import http.client
import os
import sys
import time

PORT = 8000


def ask(path: str, host: str = "127.0.0.1") -> bool:
    """Print what it says; tell whether that was 200."""
    connection = http.client.HTTPConnection(host, PORT, timeout=4)
    try:
        connection.request("GET", path, headers=_known())
        answer = connection.getresponse()
        sys.stdout.write(answer.read().decode() + "\n")
    except OSError as error:
        sys.stdout.write(f"{error}\n")
        return False
    finally:
        connection.close()
    return answer.status == http.HTTPStatus.OK


def _known() -> dict[str, str]:
    """Return what makes us known to it: strangers are told whether it is well, and no more."""
    token = os.environ.get("METRICS_TOKEN", "").strip()
    return {"Authorization": f"Bearer {token}"} if token else {}


def wait(path: str = "/healthz", host: str = "127.0.0.1", seconds: str = "0") -> bool:
    """Ask every second, for at most so many seconds, until the answer is 200."""
    ends = time.monotonic() + float(seconds)
    while not (well := ask(path, host)) and time.monotonic() < ends:
        time.sleep(1)
    return well


if __name__ == "__main__":
    sys.exit(0 if wait(*sys.argv[1:]) else 1)
