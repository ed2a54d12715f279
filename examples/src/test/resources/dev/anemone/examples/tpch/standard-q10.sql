-- TPC-H Q10, returned item reporting; DATE = 1993-10-01.

