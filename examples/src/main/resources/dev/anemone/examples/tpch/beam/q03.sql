-- TPC-H Q3, shipping priority; SEGMENT = BUILDING, DATE = 1995-03-15.
-- It cannot order by a DECIMAL, and removes a CAST: the product with 2e0 is a DOUBLE of the same
-- order. The outer SELECT drops it again.
SELECT l_orderkey, revenue, o_orderdate, o_shippriority
FROM (
  SELECT l_orderkey, revenue, o_orderdate, o_shippriority, revenue * 2e0 AS revenue_order
  FROM (
    SELECT
      l_orderkey,
      SUM(l_extendedprice * (1 - l_discount)) AS revenue,
      o_orderdate,
      o_shippriority
    FROM customer, orders, lineitem
    WHERE c_mktsegment = 'BUILDING'
      AND c_custkey = o_custkey
      AND l_orderkey = o_orderkey
      AND o_orderdate < DATE '1995-03-15'
      AND l_shipdate > DATE '1995-03-15'
    GROUP BY l_orderkey, o_orderdate, o_shippriority
  ) AS unshipped
  ORDER BY revenue_order DESC, o_orderdate
  LIMIT 10
) AS best
