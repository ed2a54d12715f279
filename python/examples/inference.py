# SPDX-License-Identifier: Apache-2.0
"""Asks a model of scikit-learn.

  python inference.py --model=line.pickle --output=result/predictions \\
    --runner=anemone_beam.NemoRunner

The model is trained first, on this machine, and written to --model.
"""

import argparse
import pickle
import sys

import numpy
import apache_beam as beam
from apache_beam.io import WriteToText
from apache_beam.ml.inference.base import KeyedModelHandler
from apache_beam.ml.inference.base import RunInference
from apache_beam.ml.inference.sklearn_inference import SklearnModelHandlerNumpy
from apache_beam.options.pipeline_options import PipelineOptions
from sklearn.linear_model import LinearRegression


def train(path):
  """Learns y = 2x + 1."""
  inputs = numpy.arange(10).reshape(-1, 1)
  model = LinearRegression().fit(inputs, 2 * inputs.ravel() + 1)
  with open(path, 'wb') as file:
    pickle.dump(model, file)


def run(model, output, arguments):
  train(model)
  handler = KeyedModelHandler(SklearnModelHandlerNumpy(model_uri=model))
  with beam.Pipeline(options=PipelineOptions(arguments)) as pipeline:
    _ = (
        pipeline
        | beam.Create([20, 30, 40])
        | beam.Map(lambda number: (number, numpy.array([number])))
        | RunInference(handler)
        | beam.MapTuple(
            lambda number, result: '%d %.1f' % (number, result.inference))
        | WriteToText(output))


if __name__ == '__main__':
  parser = argparse.ArgumentParser()
  parser.add_argument('--model', required=True)
  parser.add_argument('--output', required=True)
  known, others = parser.parse_known_args(sys.argv[1:])
  run(known.model, known.output, others)
