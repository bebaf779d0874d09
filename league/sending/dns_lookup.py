"""Resolve a host name in a separate process, which can be killed.

python dns_lookup.py HOST PORT

The system's resolver has no timeout: the owner of a name can make it wait for half a minute, in a
call that can't be interrupted. A thread can't be stopped during that call, but a process can be
killed.
"""

import socket
import sys


def main(host: str, port: str) -> int:
    """Print one address per line. On failure, print the reason and return 1."""
    try:
        addresses = socket.getaddrinfo(host.encode("ascii"), int(port), type=socket.SOCK_STREAM)
    except OSError as error:
        sys.stdout.write(error.strerror or str(error))
        return 1
    # A zone ("%eth0") belongs to a link-local address, which is rejected with or without it.
    sys.stdout.write("\n".join(str(address[0]).partition("%")[0] for *_, address in addresses))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
