"""The entries of AWS Lambda, and the service that joins the bot with the cloud (docs/architecture.md)."""
