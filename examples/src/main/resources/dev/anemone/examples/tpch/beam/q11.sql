-- TPC-H Q11, important stock identification; NATION = GERMANY, FRACTION = 0.0001, as at scale 1.
-- The column "value" of the specification has another name: that is a reserved word in Beam SQL.
-- The total is joined by a constant, and an aggregate keeps the comparison out of the condition of
-- the join, where it is not supported. Without ORDER BY, which needs a LIMIT.
SELECT ps_partkey, part_value
FROM (
  SELECT ps_partkey, MAX(part_value) AS part_value, MAX(threshold) AS threshold
  FROM (
    SELECT ps_partkey, SUM(ps_supplycost * ps_availqty) AS part_value, 1 AS link
    FROM partsupp
      JOIN supplier ON s_suppkey = ps_suppkey
      JOIN nation ON n_nationkey = s_nationkey
    WHERE n_name = 'GERMANY'
    GROUP BY ps_partkey
  ) AS stock
    JOIN (
      SELECT SUM(ps_supplycost * ps_availqty) * 0.0001 AS threshold, 1 AS total_link
      FROM partsupp
        JOIN supplier ON s_suppkey = ps_suppkey
        JOIN nation ON n_nationkey = s_nationkey
      WHERE n_name = 'GERMANY'
    ) AS total ON total_link = link
  GROUP BY ps_partkey
) AS compared
WHERE part_value > threshold
