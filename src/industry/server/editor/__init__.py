"""The board editor: one board file, a page for it, and nobody else."""
