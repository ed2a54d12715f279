-- TPC-H Q19, discounted revenue; QUANTITY1 to QUANTITY3 = 1, 10, 20,
-- BRAND1 to BRAND3 = Brand#12, Brand#23, Brand#34.
-- The branches of the OR, which is not supported in a join, are joins of their own.
SELECT SUM(amount) AS revenue
FROM (
  SELECT l_extendedprice * (1 - l_discount) AS amount
  FROM part JOIN lineitem ON l_partkey = p_partkey
  WHERE p_brand = 'Brand#12'
    AND p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
    AND l_quantity >= 1 AND l_quantity <= 1 + 10
    AND p_size BETWEEN 1 AND 5
    AND l_shipmode IN ('AIR', 'AIR REG')
    AND l_shipinstruct = 'DELIVER IN PERSON'
  UNION ALL
  SELECT l_extendedprice * (1 - l_discount) AS amount
  FROM part JOIN lineitem ON l_partkey = p_partkey
  WHERE p_brand = 'Brand#23'
    AND p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
    AND l_quantity >= 10 AND l_quantity <= 10 + 10
    AND p_size BETWEEN 1 AND 10
    AND l_shipmode IN ('AIR', 'AIR REG')
    AND l_shipinstruct = 'DELIVER IN PERSON'
  UNION ALL
  SELECT l_extendedprice * (1 - l_discount) AS amount
  FROM part JOIN lineitem ON l_partkey = p_partkey
  WHERE p_brand = 'Brand#34'
    AND p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
    AND l_quantity >= 20 AND l_quantity <= 20 + 10
    AND p_size BETWEEN 1 AND 15
    AND l_shipmode IN ('AIR', 'AIR REG')
    AND l_shipinstruct = 'DELIVER IN PERSON') AS branches
