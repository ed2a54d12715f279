# SPDX-License-Identifier: Apache-2.0
"""Which words are typical of which file: joins, a side input, and combines.

  python tf_idf.py --input='texts/*.txt' --output=result/words \\
    --runner=anemone_beam.NemoRunner

Each line of the result has a word, a file's name, and the word's weight in that
file: how often it is there, times the logarithm of how few files have it.
"""

import argparse
import math
import os
import re
import sys

import apache_beam as beam
from apache_beam.io import ReadFromTextWithFilename
from apache_beam.io import WriteToText
from apache_beam.options.pipeline_options import PipelineOptions


def words(named_line):
  path, line = named_line
  for word in re.findall(r'[a-z]+', line.lower()):
    yield word, os.path.basename(path)


def weights(element, lengths, file_count):
  word, joined = element
  inverse = math.log(file_count / joined['files'][0])
  for file, count in joined['counts']:
    yield '%s %s %.3f' % (word, file, count / lengths[file] * inverse)


def run(input, output, arguments):
  with beam.Pipeline(options=PipelineOptions(arguments)) as pipeline:
    occurrences = (
        pipeline | ReadFromTextWithFilename(input) | beam.FlatMap(words))
    files = occurrences | beam.Values()
    lengths = files | 'WordsOfFile' >> beam.combiners.Count.PerElement()
    file_count = (
        files | beam.Distinct() | 'Files' >> beam.combiners.Count.Globally())
    counts = (
        occurrences
        | 'WordsInFile' >> beam.combiners.Count.PerElement()
        | beam.MapTuple(lambda pair, count: (pair[0], (pair[1], count))))
    files_of_word = (
        occurrences
        | 'WordAndFile' >> beam.Distinct()
        | 'FilesOfWord' >> beam.combiners.Count.PerKey())
    _ = (
        {
            'counts': counts, 'files': files_of_word
        }
        | beam.CoGroupByKey()
        | beam.FlatMap(
            weights,
            beam.pvalue.AsDict(lengths),
            beam.pvalue.AsSingleton(file_count))
        | WriteToText(output))


if __name__ == '__main__':
  parser = argparse.ArgumentParser()
  parser.add_argument('--input', required=True)
  parser.add_argument('--output', required=True)
  known, others = parser.parse_known_args(sys.argv[1:])
  run(known.input, known.output, others)
