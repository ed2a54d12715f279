-- TPC-H Q4, order priority checking; DATE = 1993-07-01.

