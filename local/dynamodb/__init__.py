"""The part of DynamoDB that the bot uses, in this process: fast, without sockets. Callers can inject faults.

``tests/local/test_dynamodb.py`` compares it with dynoxide, operation by operation.
"""

from local.dynamodb.client import Client
from local.dynamodb.table import LocalTable

__all__ = ["Client", "LocalTable"]
