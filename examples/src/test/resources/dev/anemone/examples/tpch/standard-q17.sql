-- TPC-H Q17, small-quantity-order revenue; BRAND = Brand#23, CONTAINER = MED BOX.

