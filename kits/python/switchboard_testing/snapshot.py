"""A world at a moment, to go on from it more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .world import World


class Snapshot:
    def __init__(self, world: World, snapshot_id: str) -> None:
        self._world = world
        self.id = snapshot_id

    def restore(self) -> None:
        """Goes back: data, clock and people are as they were, and the ordered faults end."""
        self._world._json("POST", f"/snapshots/{self.id}/restore", {})

    def fork(self) -> World:
        """Another world that goes on from here, at an address of its own. Use it in a `with` statement, or delete it."""
        return self._world._sibling(self._world._json("POST", f"/snapshots/{self.id}/fork", {}))
