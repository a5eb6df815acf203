"""What is measured, and how: each module has a ``report()`` that gives a section of results.md."""
