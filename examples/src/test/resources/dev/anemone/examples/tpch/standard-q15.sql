-- TPC-H Q15, top supplier; DATE = 1996-01-01.
-- The view of the specification is a WITH, as it allows.

