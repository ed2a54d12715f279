-- TPC-H Q9, product type profit measure; COLOR = green.

