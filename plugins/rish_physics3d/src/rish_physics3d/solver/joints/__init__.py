"""The joint solver: joints as rows, and the rows as impulses."""
