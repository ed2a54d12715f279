-- TPC-H Q22, global sales opportunity; I1 to I7 = 13, 31, 23, 29, 30, 18, 17.

