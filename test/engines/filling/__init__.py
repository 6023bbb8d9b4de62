"""Puts rows into every stored table over HTTP, with the values that are easily read wrong."""
