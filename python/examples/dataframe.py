# SPDX-License-Identifier: Apache-2.0
"""Sums by the API of pandas.

  python dataframe.py --input=sales.csv --output=result/sums.csv \\
    --runner=anemone_beam.NemoRunner

The input has the columns region and amount.
"""

import argparse
import sys

import apache_beam as beam
from apache_beam.dataframe.io import read_csv
from apache_beam.options.pipeline_options import PipelineOptions


def run(input, output, arguments):
  with beam.Pipeline(options=PipelineOptions(arguments)) as pipeline:
    sales = pipeline | read_csv(input)
    large = sales[sales.amount >= 10]
    large.groupby('region').amount.sum().to_csv(output)


if __name__ == '__main__':
  parser = argparse.ArgumentParser()
  parser.add_argument('--input', required=True)
  parser.add_argument('--output', required=True)
  known, others = parser.parse_known_args(sys.argv[1:])
  run(known.input, known.output, others)
