"""Engines that change a Delta table. Each function takes the table's folder and makes one commit or a few."""
