-- TPC-H Q12, shipping modes and order priority; SHIPMODE1 = MAIL, SHIPMODE2 = SHIP,
-- DATE = 1994-01-01.

