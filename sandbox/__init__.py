"""All of it on a desk: nothing here ships, and only tests may import it."""
