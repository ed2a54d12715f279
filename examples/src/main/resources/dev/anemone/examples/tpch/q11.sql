-- TPC-H Q11, important stock identification; NATION = GERMANY, FRACTION = 0.0001, as at scale 1.
-- The column "value" of the specification has another name: that is a reserved word in Beam SQL.
SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS part_value
FROM partsupp, supplier, nation
WHERE ps_suppkey = s_suppkey
  AND s_nationkey = n_nationkey
  AND n_name = 'GERMANY'
GROUP BY ps_partkey
HAVING sum(ps_supplycost * ps_availqty) > (
  SELECT sum(ps_supplycost * ps_availqty) * 0.0001
  FROM partsupp, supplier, nation
  WHERE ps_suppkey = s_suppkey
    AND s_nationkey = n_nationkey
    AND n_name = 'GERMANY')
ORDER BY part_value DESC
