-- TPC-H Q14, promotion effect; DATE = 1995-09-01.

