"""Requests from phones before a night, and for its tournaments."""

from datetime import UTC, datetime, timedelta

from tests.simulation.model import Answer, Model
from tests.simulation.phone_request import Maker, PhoneRequest, never_closed
from tests.simulation.snapshot import Snapshot

SEATS = 2
ENTRY = 20
AGAIN = 0.3


class Plans(Maker):
    """Creates requests for planned nights, answers and tournaments."""

    def plan(self, _: Model) -> PhoneRequest:
        key = self.id()
        starts_at = datetime.now(UTC) + timedelta(days=200)
        self.planned.append(key)

        def planned(model: Model, _: Snapshot) -> None:
            model.answers[key] = {}
            model.rows.add(key)

        return PhoneRequest(
            kind="plan",
            path=f"/api/v1/leagues/{self.league.league}/planned-nights",
            body={"id": key, "starts_at": starts_at.isoformat(), "seats": SEATS},
            key=key,
            effect=planned,
            is_allowed=lambda _: True,
        )

    def answer(self, model: Model) -> PhoneRequest | None:
        """Answer the invitation to a planned night.

        Only the latest answer counts, so a repeated answer needs its key. Some answers are sent
        with a different key, as from a second phone.
        """
        if not self.planned:
            return None
        planned, says = self.planned_night(), self.chance.choice(("yes", "yes", "no"))
        answers = model.answers.get(planned, {})
        name = self.one_of(answers) if answers and self.chance.random() < AGAIN else self.name()

        def answered(model: Model, snapshot: Snapshot) -> None:
            answers = model.answers[planned]
            before = answers.get(name)
            if before is None or before.says != says:
                answers[name] = Answer(says, snapshot.now, before.first if before else len(answers))

        return PhoneRequest(
            kind=f"say {says}",
            path=f"/api/v1/planned-nights/{planned}/answers",
            body={"player": self.league.players[name], "rsvp": says},
            key=self.id(),
            effect=answered,
            is_allowed=lambda model: planned in model.answers,
            header=True,
        )

    def hold_tournament(self, _: Model) -> PhoneRequest:
        night, key = self.night(), self.id()
        self.tournaments[key] = night

        def held(model: Model, _: Snapshot) -> None:
            model.rows.add(key)
            model.entered[key] = ()

        level = {"duration_seconds": 600, "small": 25, "big": 50}
        return PhoneRequest(
            kind="hold a tournament",
            path=f"/api/v1/nights/{night}/tournaments",
            body={"id": key, "entry": ENTRY, "stack": 5000, "levels": [level], "payouts": [100]},
            key=key,
            effect=held,
            is_allowed=never_closed(night),
        )

    def enter(self, model: Model) -> PhoneRequest | None:
        return self._event(model, "entry")

    def go_out(self, model: Model) -> PhoneRequest | None:
        return self._event(model, "out")

    def _event(self, model: Model, kind: str) -> PhoneRequest | None:
        tournament, key, name = self.one_of(model.entered), self.id(), self.name()
        if tournament is None:
            return None

        def happened(model: Model, _: Snapshot) -> None:
            model.rows.add(key)
            if kind == "entry":
                model.entered[tournament] += (name,)
            else:
                model.out.add((tournament, name))

        return PhoneRequest(
            kind=f"{kind} of {name}",
            path=f"/api/v1/nights/{self.tournaments[tournament]}/tournaments/{tournament}/events",
            body={"id": key, "kind": kind, "player": self.league.players[name]},
            key=key,
            effect=happened,
        )

    def end_tournament(self, model: Model) -> PhoneRequest | None:
        tournament = self.one_of(model.entered)
        if tournament is None:
            return None
        night = self.tournaments[tournament]

        def ended(model: Model, snapshot: Snapshot) -> None:
            entered = model.entered[tournament]
            left = [each for each in entered if (tournament, each) not in model.out]
            if tournament in model.undone or len(entered) < 2 or len(left) != 1:
                return
            model.undone.add(tournament)
            [winner] = left
            model.tabs.update(dict.fromkeys(entered, -ENTRY))
            model.tabs[winner] += ENTRY * len(entered)
            model.nights[night].settle_anew(snapshot.open_nights, night)

        return PhoneRequest(
            kind="end a tournament",
            path=f"/api/v1/nights/{night}/tournaments/{tournament}/end",
            body={},
            key=self.id(),
            effect=ended,
            header=True,
        )
