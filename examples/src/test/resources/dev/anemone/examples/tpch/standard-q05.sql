-- TPC-H Q5, local supplier volume; REGION = ASIA, DATE = 1994-01-01.

