"""A store whose requests can fail, and processes that die."""

from collections.abc import Callable, Mapping
from typing import Any

from local.dynamodb import LocalTable

#: An obstacle to requests to the store: (operation, arguments) -> may raise.
Fault = Callable[[str, Mapping[str, Any]], None]


class Store:
    """A table whose requests can fail before or after they are done."""

    def __init__(self) -> None:
        self.items = LocalTable()
        self.before: list[Fault] = []
        self.after: list[Fault] = []

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do one request."""
        for fault in list(self.before):
            fault(operation, arguments)
        answer = self.items.run(operation, arguments)
        for fault in list(self.after):
            fault(operation, arguments)
        return answer


class Killed(BaseException):
    """The process is dead."""
