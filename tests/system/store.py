"""A store whose requests can fail, and an exception for processes that die."""

from collections.abc import Callable, Mapping
from typing import Any
from unittest.mock import Mock

from local.dynamodb import LocalTable

#: Is called with a request (operation, arguments), and may raise to make it fail.
Fault = Callable[[str, Mapping[str, Any]], None]


class Store:
    """A table whose requests can fail before or after they are carried out."""

    def __init__(self) -> None:
        self.items = LocalTable()
        self.before: list[Fault] = []
        self.after: list[Fault] = []

    def meanwhile(
        self,
        do: Callable[[], object],
        operation: str = "update_item",
        of: str = "",
        number: int = 1,
        done: bool = False,
    ) -> None:
        """Do something once, before (or after) the request of this number among those that name ``of``."""
        faults = self.after if done else self.before

        def fault(requested: str, arguments: Mapping[str, Any]) -> None:
            nonlocal number
            if operation in ("", requested) and of in str(arguments):
                number -= 1
                if number == 0:
                    faults.remove(fault)
                    do()

        faults.append(fault)

    def kill(self, operation: str = "update_item", of: str = "", number: int = 1, done: bool = False) -> None:
        """Kill the process once, at the request of this number among those that name ``of``."""
        self.meanwhile(Mock(side_effect=Killed), operation, of, number, done)

    def fail(self, error: Exception, operation: str = "") -> None:
        """Let all requests, or those of one operation, fail from now on."""

        def fault(requested: str, arguments: Mapping[str, Any]) -> None:
            if operation in ("", requested):
                raise error

        self.before.append(fault)

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        for fault in list(self.before):
            fault(operation, arguments)
        answer = self.items.run(operation, arguments)
        for fault in list(self.after):
            fault(operation, arguments)
        return answer


class Killed(BaseException):
    """The process was killed."""
