"""The AWS Lambda handlers, and the service that connects the bot to the cloud (docs/architecture.md)."""
