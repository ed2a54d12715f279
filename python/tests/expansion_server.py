# SPDX-License-Identifier: Apache-2.0
"""Beam's expansion service with transforms for tests, whose functions it runs itself.

Run as: python python/tests/expansion_server.py --port=PORT --serve_loopback_worker

It has Beam's own transforms for tests, and one more, anemone:test:counted.
"""

import logging
import sys

import apache_beam as beam
from apache_beam.metrics import Metrics
# Makes the transforms known.
import apache_beam.runners.portability.expansion_service_test  # pylint: disable=unused-import
from apache_beam.runners.portability import expansion_service_main
from apache_beam.transforms import ptransform

COUNTED = 'anemone:test:counted'


class CountedFn(beam.DoFn):
  def __init__(self):
    self._words = Metrics.counter('test', 'words of Python')

  def process(self, word):
    refuse_c(word)
    self._words.inc()
    yield word


def refuse_c(word):
  if word == 'c':
    raise ValueError('no c please')


@ptransform.PTransform.register_urn(COUNTED, None)
@beam.typehints.with_output_types(str)
class Counted(ptransform.PTransform):
  """Counts words in a metric, and refuses c."""
  def expand(self, words):
    return words | beam.ParDo(CountedFn())

  def to_runner_api_parameter(self, unused_context):
    return COUNTED, None

  @staticmethod
  def from_runner_api_parameter(unused_transform, unused_payload, unused_context):
    return Counted()


if __name__ == '__main__':
  # Says when it listens.
  logging.getLogger().setLevel(logging.INFO)
  expansion_service_main.main(sys.argv)
