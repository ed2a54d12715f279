# SPDX-License-Identifier: Apache-2.0
"""TPC-H's queries in Spark SQL.

Arguments: a JSON file, and numbers of queries to run once; without numbers they are read from the
standard input, and each is answered by "done NUMBER SECONDS" or "done failed REASON".

The file has: answers (directory), data (directory), format (parquet or text), tables (a list of
columns for each name), queries (a text for each number), conf (Spark's settings).
"""

import json
import sys
import time
import traceback

from pyspark.sql import SparkSession

with open(sys.argv[1]) as file:
    task = json.load(file)
builder = SparkSession.builder
for key, value in task["conf"].items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
for name, columns in task["tables"].items():
    if task["format"] == "parquet":
        table = spark.read.parquet(f"{task['data']}/{name}.parquet")
    else:
        table = spark.read.schema(columns).csv(f"{task['data']}/{name}.tbl*", sep="|", quote="")
    table.createOrReplaceTempView(name)


def run(number):
    """Runs a query, writes its rows, and returns its seconds."""
    start = time.perf_counter()
    rows = spark.sql(task["queries"][number]).collect()
    seconds = time.perf_counter() - start
    with open(f"{task['answers']}/q{int(number):02}.csv", "w") as answer:
        answer.write("rows\n")
        for row in rows:
            answer.write(",".join("null" if v is None else str(v) for v in row) + "\n")
    return seconds


for number in sys.argv[2:]:
    run(number)
if not sys.argv[2:]:
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            print("done", line.strip(), run(line.strip()), flush=True)
        except Exception as failure:
            traceback.print_exc()
            print("done failed", str(failure).splitlines()[0], flush=True)
spark.stop()
