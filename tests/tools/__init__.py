"""Tools for those who work on Velha: benchmarks, pictures, catalogues, mutation, releases."""
