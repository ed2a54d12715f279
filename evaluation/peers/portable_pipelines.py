# SPDX-License-Identifier: Apache-2.0
"""The pipelines that servers of Beam's Job API are compared with.

The first argument says which; the others are Beam's options.
"""

import sys

import apache_beam as beam
from apache_beam.io import ReadFromText
from apache_beam.io import WriteToText
from apache_beam.options.pipeline_options import PipelineOptions


class FileOptions(PipelineOptions):
  @classmethod
  def _add_argparse_args(cls, parser):
    parser.add_argument('--input', help='The text.')
    parser.add_argument('--output', help='What files of the result begin with.')


def wordcount(pipeline, files):
  """Writes lines `word: count`, as Beam's own example does."""
  counts = (
      pipeline
      | ReadFromText(files.input)
      | beam.FlatMap(str.split)
      | beam.combiners.Count.PerElement())
  lines = counts | beam.MapTuple('{}: {}'.format)
  _ = lines | WriteToText(files.output)


def trivial(pipeline, files):
  """Three elements through one function, which writes nothing."""
  _ = pipeline | beam.Create([1, 2, 3]) | beam.Map(str)


def main(name, arguments):
  options = PipelineOptions(arguments)
  with beam.Pipeline(options=options) as pipeline:
    {
        'wordcount': wordcount, 'trivial': trivial
    }[name](pipeline, options.view_as(FileOptions))


if __name__ == '__main__':
  main(sys.argv[1], sys.argv[2:])
