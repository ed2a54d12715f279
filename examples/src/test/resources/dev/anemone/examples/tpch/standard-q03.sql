-- TPC-H Q3, shipping priority; SEGMENT = BUILDING, DATE = 1995-03-15.

