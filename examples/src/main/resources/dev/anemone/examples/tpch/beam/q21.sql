-- TPC-H Q21, suppliers who kept orders waiting; NATION = SAUDI ARABIA.
-- EXISTS and NOT EXISTS with <> are comparisons of the least and the greatest supplier of an order,
-- among all and among the late ones.
SELECT s_name, COUNT(*) AS numwait
FROM (
  SELECT l_orderkey AS all_orderkey, MIN(l_suppkey) AS min_suppkey, MAX(l_suppkey) AS max_suppkey
  FROM lineitem
  GROUP BY l_orderkey
) AS everybody
  JOIN (
    SELECT l_orderkey AS late_orderkey, MIN(l_suppkey) AS min_late, MAX(l_suppkey) AS max_late,
      COUNT(*) AS late_items
    FROM lineitem
    WHERE l_receiptdate > l_commitdate
    GROUP BY l_orderkey
  ) AS late ON late_orderkey = all_orderkey
  JOIN orders ON o_orderkey = all_orderkey
  JOIN lineitem ON l_orderkey = o_orderkey
  JOIN supplier ON s_suppkey = l_suppkey
  JOIN nation ON n_nationkey = s_nationkey
WHERE o_orderstatus = 'F'
  AND n_name = 'SAUDI ARABIA'
  AND l_receiptdate > l_commitdate
  AND min_suppkey < max_suppkey
  AND min_late = max_late
GROUP BY s_name
ORDER BY numwait DESC, s_name
LIMIT 100
