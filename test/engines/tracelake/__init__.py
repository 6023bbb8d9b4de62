"""The product under test as an operator and a client meet it: a process, HTTP, the command line."""
