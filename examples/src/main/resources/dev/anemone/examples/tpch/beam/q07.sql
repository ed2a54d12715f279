-- TPC-H Q7, volume shipping; NATION1 = FRANCE, NATION2 = GERMANY.
-- A table of the two pairs of nations takes the place of an OR over two tables, which is not
-- supported in a join. Without ORDER BY, which needs a LIMIT.
SELECT supp_nation, cust_nation, l_year, SUM(volume) AS revenue
FROM (
  SELECT
    supp_nation,
    cust_nation,
    EXTRACT(YEAR FROM l_shipdate) AS l_year,
    l_extendedprice * (1 - l_discount) AS volume
  FROM (
    SELECT n1.n_nationkey AS supp_nationkey, n1.n_name AS supp_nation,
      n2.n_nationkey AS cust_nationkey, n2.n_name AS cust_nation
    FROM (SELECT n_nationkey, n_name, 'GERMANY' AS other FROM nation WHERE n_name = 'FRANCE') AS n1
      JOIN nation n2 ON n2.n_name = n1.other
    UNION ALL
    SELECT n1.n_nationkey AS supp_nationkey, n1.n_name AS supp_nation,
      n2.n_nationkey AS cust_nationkey, n2.n_name AS cust_nation
    FROM (SELECT n_nationkey, n_name, 'FRANCE' AS other FROM nation WHERE n_name = 'GERMANY') AS n1
      JOIN nation n2 ON n2.n_name = n1.other
  ) AS pairs
    JOIN supplier ON s_nationkey = supp_nationkey
    JOIN lineitem ON l_suppkey = s_suppkey
    JOIN orders ON o_orderkey = l_orderkey
    JOIN customer ON c_custkey = o_custkey AND c_nationkey = cust_nationkey
  WHERE l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31') AS shipping
GROUP BY supp_nation, cust_nation, l_year
