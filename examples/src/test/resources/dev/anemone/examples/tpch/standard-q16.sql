-- TPC-H Q16, parts/supplier relationship; BRAND = Brand#45, TYPE = MEDIUM POLISHED,
-- SIZE1 to SIZE8 = 49, 14, 23, 45, 19, 3, 36, 9.

