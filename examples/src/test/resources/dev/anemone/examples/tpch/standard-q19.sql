-- TPC-H Q19, discounted revenue; QUANTITY1 to QUANTITY3 = 1, 10, 20,
-- BRAND1 to BRAND3 = Brand#12, Brand#23, Brand#34.

