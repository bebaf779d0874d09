"""The processes of bench/streams.py other than the service: its readers and the floor.

`python bench/stream_peers.py --read` reads a job as JSON and prints the arrival times. `--floor`
runs a server that only sends data to all its readers. All processes use the same clock.
"""

import asyncio
import json
import sys
import time
from typing import Any

# Buffer size: enough for a row, but not for a posting with many transfers.
LIMIT = 1024 * 1024
PAYLOAD = 600  # size of a floor event in bytes, about the size of a transfer


async def read(job: dict[str, Any]) -> None:
    """Open all streams, report when they are open, and return the arrival times on request."""
    came: list[dict[str, float]] = [{} for _ in job["streams"]]
    opened = asyncio.Semaphore(20)
    ready = [asyncio.Event() for _ in job["streams"]]
    tasks = [
        asyncio.create_task(_reader(item, came[at], opened, ready[at]))
        for at, item in enumerate(job["streams"])
    ]
    for item in ready:
        await item.wait()
    print(json.dumps("open"), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    print(json.dumps(came), flush=True)


async def _reader(
    stream: dict[str, Any], came: dict[str, float], opened: asyncio.Semaphore, ready: asyncio.Event
) -> None:
    async with opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", stream["port"], limit=LIMIT)
        writer.write(stream["request"].encode())
        await reader.readuntil(stream["first"].encode())
    ready.set()
    name = ""
    while line := await reader.readline():
        if line.startswith(b"event: "):
            name = line[7:].decode().strip()
        elif line.startswith(b"data: {"):
            cursor = line[line.index(b":", 7) + 1 : line.index(b",", 7)].decode()
            came.setdefault(f"{name}:{cursor}", time.monotonic())


class Floor(asyncio.Protocol):
    """Send the data from one connection to all readers, without processing it."""

    here: set[asyncio.Transport] = set()  # noqa: RUF012 (shared by all)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.startswith(b"GET"):
            self.here.add(self.transport)
            self.transport.write(b"retry:\n\n")
        else:
            for each in self.here:
                each.write(data)

    def connection_lost(self, _: Exception | None) -> None:
        self.here.discard(self.transport)


async def floor() -> None:
    server = await asyncio.get_running_loop().create_server(Floor, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.readline)


def shot(number: int) -> bytes:
    """Return a floor event."""
    text = json.dumps({"cursor": number, "padding": "x" * PAYLOAD}, separators=(",", ":"))
    return f"id: {number}\nevent: floor\ndata: {text}\n\n".encode()


if __name__ == "__main__":
    asyncio.run(floor() if "--floor" in sys.argv else read(json.loads(sys.stdin.readline())))
