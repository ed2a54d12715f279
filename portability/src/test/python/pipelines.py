# SPDX-License-Identifier: Apache-2.0
"""Pipelines for tests: the first argument says which, the others are Beam's options."""

import logging
import os
import random
import signal
import sys
import threading
import time

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.testing.util import assert_that
from apache_beam.testing.util import equal_to
from apache_beam.coders import BytesCoder
from apache_beam.coders import VarIntCoder
from apache_beam.transforms.sql import SqlTransform
from apache_beam.transforms.timeutil import TimeDomain
from apache_beam.transforms.userstate import BagStateSpec
from apache_beam.transforms.userstate import CombiningValueStateSpec
from apache_beam.transforms.userstate import TimerSpec
from apache_beam.transforms.userstate import on_timer


class TestOptions(PipelineOptions):
  @classmethod
  def _add_argparse_args(cls, parser):
    parser.add_argument('--marker', help='A file that the pipeline makes.')
    parser.add_argument('--seed', type=int, help='Of what happens at random.')
    parser.add_argument(
        '--expansion', help='Where Java\'s transforms are expanded.')
    parser.add_argument(
        '--mebibytes', type=int, help='How much data the pipeline makes.')


LINES = ['a b c', 'a b', 'a']


class Counted(beam.DoFn):
  def __init__(self):
    self._words = Metrics.counter('test', 'words')

  def process(self, word):
    self._words.inc()
    yield word, 1


class Numbered(beam.DoFn):
  INDEX = CombiningValueStateSpec('index', sum)

  def process(self, element, index=beam.DoFn.StateParam(INDEX)):
    index.add(1)
    yield element[0], index.read()


class CountedByTimer(beam.DoFn):
  SEEN = BagStateSpec('seen', VarIntCoder())
  END = TimerSpec('end', TimeDomain.WATERMARK)

  def process(
      self,
      element,
      seen=beam.DoFn.StateParam(SEEN),
      end=beam.DoFn.TimerParam(END)):
    seen.add(1)
    end.set(10)

  @on_timer(END)
  def fire(self, key=beam.DoFn.KeyParam, seen=beam.DoFn.StateParam(SEEN)):
    yield key, len(list(seen.read()))


def words(pipeline):
  return pipeline | beam.Create(LINES) | beam.FlatMap(str.split)


def count(pipeline):
  counts = words(pipeline) | beam.ParDo(Counted()) | beam.CombinePerKey(sum)
  assert_that(counts, equal_to([('a', 3), ('b', 2), ('c', 1)]))


def group(pipeline):
  groups = (
      words(pipeline)
      | beam.Map(lambda word: (word, len(word)))
      | beam.GroupByKey()
      | beam.MapTuple(lambda word, lengths: (word, sorted(lengths))))
  assert_that(groups, equal_to([('a', [1, 1, 1]), ('b', [1, 1]), ('c', [1])]))


def side(pipeline):
  read = words(pipeline)
  counts = read | beam.combiners.Count.PerElement()
  joined = read | beam.Map(
      lambda word, table, all: (word, table[word], len(all)),
      beam.pvalue.AsDict(counts),
      beam.pvalue.AsList(read))
  assert_that(
      joined,
      equal_to([('a', 3, 6)] * 3 + [('b', 2, 6)] * 2 + [('c', 1, 6)]))


def state(pipeline):
  numbered = (
      words(pipeline)
      | beam.Map(lambda word: (word, None))
      | beam.ParDo(Numbered()))
  assert_that(
      numbered,
      equal_to([('a', 1), ('a', 2), ('a', 3), ('b', 1), ('b', 2), ('c', 1)]))


def timer(pipeline):
  counts = (
      words(pipeline)
      | beam.Map(lambda word: (word, None))
      | beam.ParDo(CountedByTimer()))
  assert_that(counts, equal_to([('a', 3), ('b', 2), ('c', 1)]))


def flatten(pipeline):
  """Of two coders; what is flattened is grouped and a side input, too."""
  pairs = words(pipeline) | beam.Map(lambda word: (word, 1))
  others = pipeline | 'others' >> beam.Create(['d'])
  groups = pairs | beam.GroupByKey() | beam.MapTuple(
      lambda word, ones: (word, len(list(ones))))
  joined = others | beam.Map(
      lambda word, side: (word, len(side)), beam.pvalue.AsList(pairs))
  flat = (pairs, others) | beam.Flatten()
  assert_that(groups, equal_to([('a', 3), ('b', 2), ('c', 1)]), 'groups')
  assert_that(joined, equal_to([('d', 6)]), 'joined')
  assert_that(
      flat,
      equal_to([('a', 1)] * 3 + [('b', 1)] * 2 + [('c', 1), 'd']),
      'flat')


def sql(pipeline):
  """A query that Java plans and runs."""
  service = pipeline.options.view_as(TestOptions).expansion
  rows = words(pipeline) | beam.Map(
      lambda word: beam.Row(word=str(word), length=len(word)))
  counts = rows | SqlTransform(
      'SELECT word, COUNT(*) AS n, SUM(length) AS letters FROM PCOLLECTION '
      "WHERE word <> 'c' GROUP BY word",
      expansion_service=service)
  assert_that(
      counts | beam.Map(lambda row: (row.word, row.n, row.letters)),
      equal_to([('a', 3, 3), ('b', 2, 2)]))


class Greeted(beam.DoFn):
  """Needs a package and a file that the program has staged."""
  def process(self, word):
    import greetings
    files = os.path.join(os.environ['SEMI_PERSISTENT_DIRECTORY'], 'staged')
    with open(os.path.join(files, 'suffix')) as suffix:
      greeting = greetings.greet(word) + suffix.read()
    logging.info('a harness greets: %s', greeting)
    yield greeting


def staged(pipeline):
  counts = (
      words(pipeline)
      | beam.ParDo(Greeted())
      | beam.ParDo(Counted())
      | beam.CombinePerKey(sum))
  assert_that(
      counts, equal_to([('hello a!', 3), ('hello b!', 2), ('hello c!', 1)]))


def fail(pipeline):
  def refuse_c(word):
    if word == 'c':
      raise ValueError('no ' + word + ' please')

  _ = words(pipeline) | beam.Map(refuse_c)


class Blocked(beam.DoFn):
  """Says which process it is in, and does not end by itself."""
  def __init__(self, marker):
    self._marker = marker

  def process(self, element):
    with open(self._marker + '.part', 'w') as part:
      part.write(str(os.getpid()))
    os.rename(self._marker + '.part', self._marker)
    while True:
      time.sleep(0.1)


def block(pipeline):
  _ = pipeline | beam.Impulse() | beam.ParDo(Blocked(marker(pipeline)))


class Killed(beam.DoFn):
  """Its process is killed some time after the first element that it gets, once."""
  def __init__(self, marker, seed):
    self._marker = marker
    self._delay = random.Random(seed).uniform(0, 0.5)

  def _kill(self):
    with open(self._marker + '.killed', 'w'):
      os.kill(os.getpid(), signal.SIGKILL)

  def process(self, element):
    try:
      os.close(os.open(self._marker, os.O_CREAT | os.O_EXCL))
      threading.Timer(self._delay, self._kill).start()
    except FileExistsError:
      pass
    if element % 100 == 0:
      time.sleep(0.01)
    yield element % 10, element


def kill(pipeline):
  """A second or so of work in two stages."""
  seed = pipeline.options.view_as(TestOptions).seed
  sums = (
      pipeline
      | beam.Create(range(100))
      | beam.Reshuffle()
      | beam.FlatMap(lambda high: range(high * 100, high * 100 + 100))
      | beam.ParDo(Killed(marker(pipeline), seed))
      | beam.GroupByKey()
      | beam.MapTuple(lambda key, values: (key, sum(values)))
      | beam.ParDo(Slow()))
  assert_that(
      sums,
      equal_to([(key, sum(range(key, 10_000, 10))) for key in range(10)]))


MEBIBYTE = 1 << 20


def mebibytes(pipeline):
  return pipeline.options.view_as(TestOptions).mebibytes


def numbered_blocks(count):
  """So many elements of a mebibyte each, that begin with their numbers."""
  for number in range(count):
    yield b'%08d' % number + bytes(MEBIBYTE - 8)


class SlowLength(beam.DoFn):
  def process(self, element):
    time.sleep(0.002)
    yield int(element[:8]), len(element)


def flood(pipeline):
  """One element becomes more than the heap, for a slow step of another harness."""
  count = mebibytes(pipeline)
  lengths = (
      pipeline
      | beam.Create([count])
      | beam.FlatMap(numbered_blocks)
      | beam.ParDo(SlowLength()).with_resource_hints(cpu_count='1')
      | beam.MapTuple(lambda number, length: number + length)
      | beam.CombineGlobally(sum).without_defaults())
  assert_that(
      lengths, equal_to([sum(range(count)) + count * MEBIBYTE]))


class Hoard(beam.DoFn):
  BLOCKS = BagStateSpec('blocks', BytesCoder())
  END = TimerSpec('end', TimeDomain.WATERMARK)

  def process(
      self,
      element,
      blocks=beam.DoFn.StateParam(BLOCKS),
      end=beam.DoFn.TimerParam(END)):
    for block in numbered_blocks(element[1]):
      blocks.add(block)
    end.set(10)

  @on_timer(END)
  def fire(self, key=beam.DoFn.KeyParam, blocks=beam.DoFn.StateParam(BLOCKS)):
    yield key, sum(int(block[:8]) + len(block) for block in blocks.read())


def hoard(pipeline):
  """The state of one key is more than the heap; that of another is not."""
  count = mebibytes(pipeline)
  sums = (
      pipeline
      | beam.Create([('much', 20)] * (count // 20) + [('little', 1)])
      | beam.ParDo(Hoard()))
  assert_that(
      sums,
      equal_to([('much', count // 20 * (sum(range(20)) + 20 * MEBIBYTE)),
                ('little', MEBIBYTE)]))


def lookup(pipeline):
  """A side input is more than the heap, as a list and as a multimap."""
  count = mebibytes(pipeline)
  blocks = (
      pipeline
      | 'counts' >> beam.Create([count // 10] * 10)
      | beam.FlatMap(numbered_blocks))
  pairs = blocks | beam.Map(lambda block: (int(block[:8]) % 10, block))

  def joined(number, table, all_blocks):
    return (
        number,
        sum(1 for _ in table[number]),
        sum(len(block) for block in all_blocks))

  result = (
      pipeline
      | beam.Create([3, 7])
      | beam.Map(
          joined,
          beam.pvalue.AsMultiMap(pairs),
          beam.pvalue.AsIter(blocks)))
  assert_that(
      result,
      equal_to([(number, count // 10, count * MEBIBYTE) for number in (3, 7)]))


class Slow(beam.DoFn):
  def process(self, element):
    time.sleep(0.1)
    yield element


def marker(pipeline):
  return pipeline.options.view_as(TestOptions).marker


def cancel_when_marked(result, path):
  while not os.path.exists(path):
    time.sleep(0.05)
  result.cancel()


if __name__ == '__main__':
  pipeline = beam.Pipeline(options=PipelineOptions(sys.argv[2:]))
  globals()[sys.argv[1]](pipeline)
  result = pipeline.run()
  if sys.argv[1] == 'block':
    cancel_when_marked(result, marker(pipeline))
  print('state', result.wait_until_finish())
  for counter in result.metrics().query()['counters']:
    if counter.key.metric.namespace == 'test':
      print(counter.key.metric.name, counter.committed)
