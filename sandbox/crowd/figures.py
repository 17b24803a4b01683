"""The figures of one run of the crowd."""

from dataclasses import dataclass

from .simulation import RunSettings
from .verdict import Verdict


@dataclass(frozen=True, slots=True)
class CrowdFigures:
    """The figures of one run."""

    settings: RunSettings
    verdict: Verdict
    conflicts: int
    killed: int
    messages: int
    lost_messages: int
    doubled_messages: int
    seconds: float
    #: Processor seconds of all processes.
    cpu: float

    def figures(self) -> dict[str, object]:
        """Return the figures by their names in the report."""
        verdict = self.verdict
        return {
            "run": "undisturbed" if self.settings.kill is None else "workers killed",
            "rooms": verdict.rooms,
            "games that ended": verdict.ended,
            "dealt as sealed": verdict.proven,
            "workers": self.settings.workers,
            "killed": self.killed,
            "taps that answer": f"{verdict.taps:,}",
            "joins": f"{verdict.joins:,}",
            "computers": f"{verdict.computers:,}",
            "twice": f"{verdict.twice:,}",
            "answers": f"{verdict.answers:,}",
            "lost": verdict.lost,
            "doubled": verdict.doubled,
            "came after the clock": verdict.late,
            "versions of rooms": f"{verdict.versions:,}",
            "conflicts": f"{self.conflicts:,}",
            "messages": f"{self.messages:,}",
            "messages lost": self.lost_messages,
            "messages doubled": self.doubled_messages,
            "promises broken": len(verdict.broken),
            "seconds": f"{self.seconds:.0f}",
            "processor seconds": f"{self.cpu:.0f}",
            "taps a second": f"{(verdict.taps + verdict.joins) / self.seconds:.0f}",
        }
