-- TPC-H Q18, large volume customer; QUANTITY = 300.
-- The sum, which the specification leaves without a name, has one.

