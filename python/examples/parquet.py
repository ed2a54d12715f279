# SPDX-License-Identifier: Apache-2.0
"""Writes a Parquet file, and reads it.

  python parquet.py --file=result/numbers --output=result/sums \\
    --runner=anemone_beam.NemoRunner
"""

import argparse
import sys

import pyarrow
import apache_beam as beam
from apache_beam.io import ReadFromParquet
from apache_beam.io import WriteToParquet
from apache_beam.io import WriteToText
from apache_beam.options.pipeline_options import PipelineOptions

SCHEMA = pyarrow.schema([
    ('number', pyarrow.int64()),
    ('parity', pyarrow.string()),
])


def run(file, output, arguments):
  with beam.Pipeline(options=PipelineOptions(arguments)) as pipeline:
    _ = (
        pipeline
        | beam.Create(range(1000))
        | beam.Map(
            lambda number: {
                'number': number, 'parity': 'odd' if number % 2 else 'even'
            })
        | WriteToParquet(file, SCHEMA, file_name_suffix='.parquet'))
  with beam.Pipeline(options=PipelineOptions(arguments)) as pipeline:
    _ = (
        pipeline
        | ReadFromParquet(file + '*.parquet')
        | beam.Map(lambda record: (record['parity'], record['number']))
        | beam.CombinePerKey(sum)
        | beam.MapTuple(lambda parity, total: '%s %d' % (parity, total))
        | WriteToText(output))


if __name__ == '__main__':
  parser = argparse.ArgumentParser()
  parser.add_argument('--file', required=True)
  parser.add_argument('--output', required=True)
  known, others = parser.parse_known_args(sys.argv[1:])
  run(known.file, known.output, others)
