-- TPC-H Q6, forecasting revenue change; DATE = 1994-01-01, DISCOUNT = 0.06, QUANTITY = 24.

