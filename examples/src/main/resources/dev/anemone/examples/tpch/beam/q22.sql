-- TPC-H Q22, global sales opportunity; I1 to I7 = 13, 31, 23, 29, 30, 18, 17.
-- The average is joined by a constant, an aggregate keeps the comparison out of the condition of
-- the join, and NOT EXISTS is an outer join where nothing matches. Without ORDER BY, which needs a
-- LIMIT.
SELECT cntrycode, COUNT(*) AS numcust, SUM(c_acctbal) AS totacctbal
FROM (
  SELECT c_custkey, cntrycode, MAX(c_acctbal) AS c_acctbal, MAX(average) AS average
  FROM (
    SELECT c_custkey, SUBSTRING(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal, 1 AS link
    FROM customer
      LEFT OUTER JOIN (SELECT DISTINCT o_custkey FROM orders) AS buyers ON o_custkey = c_custkey
    WHERE SUBSTRING(c_phone FROM 1 FOR 2) IN ('13', '31', '23', '29', '30', '18', '17')
      AND o_custkey IS NULL
  ) AS idle
    JOIN (
      SELECT AVG(c_acctbal) AS average, 1 AS mean_link
      FROM customer
      WHERE c_acctbal > 0.00
        AND SUBSTRING(c_phone FROM 1 FOR 2) IN ('13', '31', '23', '29', '30', '18', '17')
    ) AS mean ON mean_link = link
  GROUP BY c_custkey, cntrycode
) AS compared
WHERE c_acctbal > average
GROUP BY cntrycode
