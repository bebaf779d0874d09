"""The replay of a hand, scene by scene, under the rules that it was dealt under."""

from league.games.lookup import replayable
from league.models import Revision
from rules.presentation.playback import playback
from rules.presentation.scenes import Scene, replay


def scenes_of(revision: Revision) -> list[Scene]:
    """Return the scenes of a hand as this revision has it: every action, where all are known."""
    record = replayable(revision)
    if revision.depth == Revision.Depth.FULL:
        return playback(record, revision.answer).scenes
    return replay(record, revision.answer)
