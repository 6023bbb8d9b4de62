"""What is done with a data folder, one kind a module."""
