-- TPC-H Q20, potential part promotion; COLOR = forest, DATE = 1994-01-01, NATION = CANADA.

