-- TPC-H Q13, customer distribution; WORD1 = special, WORD2 = requests.
-- The condition on one side of the outer join is a filter of that side. Without ORDER BY, which
-- needs a LIMIT.
SELECT c_count, COUNT(*) AS custdist
FROM (
  SELECT c_custkey, COUNT(o_orderkey) AS c_count
  FROM customer LEFT OUTER JOIN (
      SELECT o_orderkey, o_custkey FROM orders WHERE o_comment NOT LIKE '%special%requests%'
    ) AS plain ON c_custkey = o_custkey
  GROUP BY c_custkey) AS c_orders
GROUP BY c_count
