-- TPC-H Q20, potential part promotion; COLOR = forest, DATE = 1994-01-01, NATION = CANADA.
-- The sub-queries are joins, and the comparison with the sum is above the aggregate. Without
-- ORDER BY, which needs a LIMIT.
SELECT s_name, s_address
FROM (
  SELECT DISTINCT ps_suppkey
  FROM (
    SELECT ps_partkey, ps_suppkey, MAX(ps_availqty) AS availqty, 0.5 * SUM(l_quantity) AS half
    FROM part
      JOIN partsupp ON ps_partkey = p_partkey
      JOIN lineitem ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey
    WHERE p_name LIKE 'forest%'
      AND l_shipdate >= DATE '1994-01-01'
      AND l_shipdate < DATE '1994-01-01' + INTERVAL '1' YEAR
    GROUP BY ps_partkey, ps_suppkey
  ) AS shipped
  WHERE availqty > half
) AS candidates
  JOIN supplier ON s_suppkey = ps_suppkey
  JOIN nation ON n_nationkey = s_nationkey
WHERE n_name = 'CANADA'
