-- TPC-H Q9, product type profit measure; COLOR = green.
-- Joins are in an order that needs no cross join. Without ORDER BY, which needs a LIMIT.
SELECT nation, o_year, SUM(amount) AS sum_profit
FROM (
  SELECT
    n_name AS nation,
    EXTRACT(YEAR FROM o_orderdate) AS o_year,
    l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity AS amount
  FROM part
    JOIN partsupp ON ps_partkey = p_partkey
    JOIN lineitem ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey
    JOIN supplier ON s_suppkey = l_suppkey
    JOIN nation ON n_nationkey = s_nationkey
    JOIN orders ON o_orderkey = l_orderkey
  WHERE p_name LIKE '%green%') AS profit
GROUP BY nation, o_year
