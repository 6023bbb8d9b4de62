"""Other engines on the tables of a data folder: they read them, and they write to them."""
