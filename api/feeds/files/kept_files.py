"""Files that were made of a feed, kept for the next part that is asked for.

A reader of Parquet asks for its end first, and then for the columns that it needs: each time for
the same file, by the ETag. Files have no names, so nothing is left of a process that is killed.
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import BoundedSemaphore, Lock
from typing import IO
from weakref import finalize

MOST_FILES = 64
MOST_BYTES = 64 * 2**20
AT_ONCE = 2  # so many are made at the same time, however many ask

Write = Callable[[IO[bytes]], object]


class KeptFile:
    """A file that is there as long as somebody holds it."""

    def __init__(self, write: Write) -> None:
        self.file = TemporaryFile()  # noqa: SIM115 (closed with the last who holds it)
        finalize(self, self.file.close)
        write(self.file)
        self.file.flush()
        self.length = os.fstat(self.file.fileno()).st_size

    def read(self, start: int, most: int) -> bytes:
        """Return at most so many bytes from there on; several threads may read at once."""
        return os.pread(self.file.fileno(), most, start)


class KeptFiles:
    """The latest files, by their ETags: so many and so large at most."""

    def __init__(self) -> None:
        self.files: OrderedDict[str, KeptFile] = OrderedDict()
        self.lock = Lock()
        self.making = BoundedSemaphore(AT_ONCE)

    def find(self, tag: str) -> KeptFile | None:
        with self.lock:
            if tag in self.files:
                self.files.move_to_end(tag)
            return self.files.get(tag)

    def make(self, write: Write) -> KeptFile:
        """Return a new file, once it is this one's turn."""
        with self.making:
            return KeptFile(write)

    def keep(self, tag: str, made: KeptFile) -> None:
        with self.lock:
            self.files[tag] = made
            while len(self.files) > MOST_FILES or self._bytes() > MOST_BYTES:
                self.files.popitem(last=False)

    def _bytes(self) -> int:
        return sum(each.length for each in self.files.values())
