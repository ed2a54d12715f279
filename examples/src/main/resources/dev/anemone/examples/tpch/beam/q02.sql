-- TPC-H Q2, minimum cost supplier; SIZE = 15, TYPE = BRASS, REGION = EUROPE.
-- The least cost is a derived table, since a correlated sub-query ends in a cross join; joins are
-- in an order that needs none. It cannot order by a DECIMAL, and removes a CAST: the product with 2e0
-- is a DOUBLE of the same order.
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
FROM (
  SELECT
    s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment,
    s_acctbal * 2e0 AS acctbal_order
  FROM (
    SELECT ps_partkey AS min_partkey, MIN(ps_supplycost) AS min_supplycost
    FROM region
      JOIN nation ON n_regionkey = r_regionkey
      JOIN supplier ON s_nationkey = n_nationkey
      JOIN partsupp ON ps_suppkey = s_suppkey
    WHERE r_name = 'EUROPE'
    GROUP BY ps_partkey
  ) AS cheapest
    JOIN part ON p_partkey = min_partkey
    JOIN partsupp ON ps_partkey = min_partkey AND ps_supplycost = min_supplycost
    JOIN supplier ON s_suppkey = ps_suppkey
    JOIN nation ON n_nationkey = s_nationkey
    JOIN region ON r_regionkey = n_regionkey
  WHERE p_size = 15
    AND p_type LIKE '%BRASS'
    AND r_name = 'EUROPE'
  ORDER BY acctbal_order DESC, n_name, s_name, p_partkey
  LIMIT 100
) AS best
