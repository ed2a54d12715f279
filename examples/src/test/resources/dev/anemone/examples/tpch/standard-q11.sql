-- TPC-H Q11, important stock identification; NATION = GERMANY, FRACTION = 0.0001, as at scale 1.
-- The column "value" of the specification has another name: that is a reserved word in Beam SQL.

