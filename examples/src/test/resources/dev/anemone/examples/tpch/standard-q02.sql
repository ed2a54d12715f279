-- TPC-H Q2, minimum cost supplier; SIZE = 15, TYPE = BRASS, REGION = EUROPE.

