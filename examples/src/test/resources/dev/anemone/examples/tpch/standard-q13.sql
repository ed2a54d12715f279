-- TPC-H Q13, customer distribution; WORD1 = special, WORD2 = requests.

