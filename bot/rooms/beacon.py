"""The public randomness beacon for deals: the times and addresses of its rounds.

``infra.beacon`` fetches the rounds.
"""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Beacon:
    """One chain of a drand beacon."""

    #: The chain's hash (hexadecimal), which identifies it at all mirrors.
    chain: str
    #: The time of round 1, in seconds since 1970.
    genesis: int
    #: Seconds between two rounds.
    period: int
    #: The mirrors' addresses, without a path.
    addresses: tuple[str, ...]

    def time_of(self, round: int) -> int:
        """Return when a round is out, in seconds since 1970."""
        return self.genesis + self.period * (round - 1)

    def round_after(self, at: float) -> int:
        """Return the first round that is out at this time (seconds since 1970) or later."""
        return max(1, 1 + math.ceil((at - self.genesis) / self.period))

    def addresses_of(self, round: int) -> tuple[str, ...]:
        """Return the addresses at which anybody can look a round up, one for each mirror."""
        return tuple(f"{address}/{self.chain}/public/{round}" for address in self.addresses)


#: drand's quicknet, run by the League of Entropy; ``GET <address>/<chain>/info`` says the same.
QUICKNET = Beacon(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    genesis=1692803367,
    period=3,
    addresses=(
        "https://api.drand.sh",
        "https://api2.drand.sh",
        "https://api3.drand.sh",
        "https://drand.cloudflare.com",
    ),
)


def quicknet_at(addresses: str | None) -> Beacon:
    """Return quicknet with these addresses (separated by commas), or with drand's own for None."""
    if addresses is None:
        return QUICKNET
    return replace(QUICKNET, addresses=tuple(address.rstrip("/") for address in addresses.split(",")))
