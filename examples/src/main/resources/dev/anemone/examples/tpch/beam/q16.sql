-- TPC-H Q16, parts/supplier relationship; BRAND = Brand#45, TYPE = MEDIUM POLISHED,
-- SIZE1 to SIZE8 = 49, 14, 23, 45, 19, 3, 36, 9.
-- NOT IN is an outer join where nothing matches, and DISTINCT is a sub-query. Without ORDER BY,
-- which needs a LIMIT.
SELECT p_brand, p_type, p_size, COUNT(*) AS supplier_cnt
FROM (
  SELECT DISTINCT p_brand, p_type, p_size, ps_suppkey
  FROM part
    JOIN partsupp ON ps_partkey = p_partkey
    LEFT OUTER JOIN (
      SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%Customer%Complaints%'
    ) AS complaints ON s_suppkey = ps_suppkey
  WHERE p_brand <> 'Brand#45'
    AND p_type NOT LIKE 'MEDIUM POLISHED%'
    AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9)
    AND s_suppkey IS NULL) AS suppliers
GROUP BY p_brand, p_type, p_size
