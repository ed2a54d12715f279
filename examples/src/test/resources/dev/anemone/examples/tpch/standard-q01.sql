-- TPC-H Q1, pricing summary report; DELTA = 90.

