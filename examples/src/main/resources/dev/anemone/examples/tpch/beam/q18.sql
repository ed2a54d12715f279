-- TPC-H Q18, large volume customer; QUANTITY = 300.
-- The sum, which the specification leaves without a name, has one.
-- IN is a join with a derived table. It cannot order by a DECIMAL, and removes a CAST: the product
-- with 2e0 is a DOUBLE of the same order.
SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum_quantity
FROM (
  SELECT
    c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum_quantity,
    o_totalprice * 2e0 AS totalprice_order
  FROM (
    SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice,
      SUM(l_quantity) AS sum_quantity
    FROM (
      SELECT l_orderkey AS large_orderkey
      FROM lineitem
      GROUP BY l_orderkey
      HAVING SUM(l_quantity) > 300
    ) AS large_orders
      JOIN orders ON o_orderkey = large_orderkey
      JOIN customer ON c_custkey = o_custkey
      JOIN lineitem ON l_orderkey = o_orderkey
    GROUP BY c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice
  ) AS orders_of_large_volume
  ORDER BY totalprice_order DESC, o_orderdate
  LIMIT 100
) AS best
