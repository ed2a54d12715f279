-- TPC-H Q21, suppliers who kept orders waiting; NATION = SAUDI ARABIA.

