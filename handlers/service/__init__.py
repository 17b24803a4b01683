"""The service: the app that answers an update, how it is built, and how its effects are carried out."""
