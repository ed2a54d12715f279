-- TPC-H Q17, small-quantity-order revenue; BRAND = Brand#23, CONTAINER = MED BOX.
-- The average of each part is joined, and compared in a CASE: a comparison is not supported in a
-- join.
SELECT SUM(CASE WHEN l_quantity < limit_quantity THEN l_extendedprice ELSE 0.00 END) / 7.0
  AS avg_yearly
FROM part
  JOIN lineitem ON l_partkey = p_partkey
  JOIN (
    SELECT l_partkey AS avg_partkey, 0.2 * AVG(l_quantity) AS limit_quantity
    FROM lineitem
    GROUP BY l_partkey
  ) AS averages ON avg_partkey = p_partkey
WHERE p_brand = 'Brand#23'
  AND p_container = 'MED BOX'
