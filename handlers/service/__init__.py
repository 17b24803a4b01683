"""What joins the edges: the app that answers an update, how it is built, and what becomes of its effects."""
