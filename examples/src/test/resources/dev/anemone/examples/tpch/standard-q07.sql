-- TPC-H Q7, volume shipping; NATION1 = FRANCE, NATION2 = GERMANY.

