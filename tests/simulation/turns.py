"""Two tasks on PostgreSQL, each in its own session, that run one statement at a time.

Each task waits for its turn before every statement and commit. While one task waits for the other's
lock, as reported by the database, the other one gets all turns.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import psycopg
from django.db import connection

Work = Callable[[], Any]
# Seconds to wait before asking the database whether the statement is waiting for a lock.
PATIENCE = 0.003
_WAITS = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s"


def give_way() -> None:
    """Let the other task take the next step, for example before a retry."""
    session = threading.current_thread()
    if isinstance(session, Session):
        session.gives_way = True


class Session(threading.Thread):
    """One of the two tasks. `state` is ready, busy or done, and `steps` counts its turns."""

    def __init__(self, work: Work, tell: Callable[[str], str]) -> None:
        super().__init__(daemon=True)
        self.work, self.tell = work, tell
        self.state, self.steps, self.pid = "busy", 0, 0
        self.answer: Any = None
        self.gives_way = False
        self.may_go, self.changed = threading.Semaphore(0), threading.Condition()

    def run(self) -> None:
        commit = connection._commit
        connection._commit = lambda: self._turn(commit)  # type: ignore[method-assign]
        try:
            connection.ensure_connection()
            self.pid = connection.connection.info.backend_pid
            connection.connection.execute("SET deadlock_timeout = '100ms'")
            with connection.execute_wrapper(self._execute):
                self._wait()
                self.answer = self.work()
        except BaseException as error:  # noqa: BLE001 (returned as the result)
            self.answer = error
        finally:
            del connection._commit
            connection.close()
            self._become("done")

    def _execute(self, execute: Any, sql: str, *rest: Any) -> Any:
        return self._turn(lambda: execute(self.tell(sql), *rest))

    def _turn(self, do: Callable[[], Any]) -> Any:
        self._wait()
        return do()

    def _wait(self) -> None:
        self.steps += 1
        self._become("ready")
        self.may_go.acquire()

    def left_busy(self, seconds: float) -> bool:
        """Return whether the session became ready or done within these seconds."""
        with self.changed:
            return self.changed.wait_for(lambda: self.state != "busy", seconds)

    def _become(self, state: str) -> None:
        with self.changed:
            self.state = state
            self.changed.notify_all()


@dataclass
class Turns:
    """Alternates two sessions. `order` lists the session and number of steps for each turn."""

    works: Sequence[Work]
    order: Sequence[tuple[int, int]]
    tell: Callable[[str], str] = str
    waits: int = 0
    taken: list[int] = field(default_factory=list)

    def run(self) -> tuple[list[Any], list[int]]:
        """Return both tasks' results or exceptions, and their numbers of steps."""
        settings = connection.settings_dict
        self.monitor = psycopg.connect(
            host=settings["HOST"],
            port=settings["PORT"] or None,
            user=settings["USER"],
            password=settings["PASSWORD"] or None,
            dbname=settings["NAME"],
            autocommit=True,
        )
        with self.monitor:
            sessions = [Session(work, self.tell) for work in self.works]
            for session in sessions:
                session.start()
                self._settle(session)
            for turn in self._turns():
                if all(session.state == "done" for session in sessions):
                    break
                self._step(sessions, turn)
        return [session.answer for session in sessions], [session.steps for session in sessions]

    def _turns(self) -> Iterator[int]:
        for who, steps in self.order:
            yield from [who] * steps
        while True:
            yield self.order[-1][0] if self.order else 0

    def _step(self, sessions: Sequence[Session], turn: int) -> None:
        """Give this session a turn, or the other one if this one is done or waiting."""
        ready = [s for s in (sessions[turn], sessions[1 - turn]) if s.state == "ready"]
        if not ready:
            for session in cycle(s for s in sessions if s.state != "done"):
                if session.left_busy(PATIENCE):
                    return
        chosen = next((s for s in ready if not s.gives_way), ready[0])
        for session in ready:
            session.gives_way = False
        self.taken.append(sessions.index(chosen))
        with chosen.changed:
            chosen.state = "busy"
        chosen.may_go.release()
        for session in sessions:
            self._settle(session)

    def _settle(self, session: Session) -> None:
        """Wait until the session is ready, is done, or is waiting for a lock."""
        while not session.left_busy(PATIENCE):
            if session.pid and self._waits(session.pid):
                self.waits += 1
                return

    def _waits(self, pid: int) -> bool:
        row = self.monitor.execute(_WAITS, [pid]).fetchone()
        return bool(row and row[0])
