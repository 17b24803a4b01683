"""DynamoDB in this process, as far as the bot uses it: fast, without sockets, faults put in by the caller.

`tests/sandbox/test_dynamodb.py` holds it against dynoxide, operation by operation.
"""

from .client import Client
from .table import Table

__all__ = ["Client", "Table"]
