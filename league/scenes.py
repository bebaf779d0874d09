"""The replay of a hand, scene by scene, under the rules that it was dealt under."""

from league.models import Revision
from league.versions import replayable
from rules.playback import playback
from rules.replay import Scene, replay


def scenes_of(revision: Revision) -> list[Scene]:
    """Return the scenes of a hand as this revision tells it: every action, where all are known."""
    record = replayable(revision)
    if revision.depth == Revision.Depth.FULL:
        return playback(record, revision.answer).scenes
    return replay(record, revision.answer)
