# SPDX-License-Identifier: Apache-2.0
"""Beam's own tests of cross-language transforms, against a job server of NemoRunner.

Run as: ANEMONE_JOB_SERVER='bin/anemone job-server' pytest python/tests/xlang_suite.py

The transforms are expanded, and their functions run, by a second Python process.

Environment:
  ANEMONE_JOB_SERVER        the command that starts a job server; ports are added
  ANEMONE_POLICY            the optimization policy (default: the runner's)
"""

import os
import shlex
import sys
import tempfile
import unittest

import servers

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability import portable_runner
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.utils import subprocess_server

END_SECONDS = 60

JOB_PORT, EXPANSION_PORT = subprocess_server.pick_port(None, None)
# The tests look for it when they are imported.
os.environ['EXPANSION_PORT'] = str(EXPANSION_PORT)

from apache_beam.transforms import validate_runner_xlang_test  # noqa: E402

EXPANSION_SERVER = os.path.join(
    os.path.dirname(__file__), 'expansion_server.py')

PROCESSES = []


def setUpModule():
  PROCESSES.append(
      servers.start(
          shlex.split(os.environ['ANEMONE_JOB_SERVER']) + [
              '--port=%d' % JOB_PORT,
              '--artifactsDir=%s' % tempfile.mkdtemp(prefix='anemone-suite'),
              '--parentProcess=%d' % os.getpid(),
          ],
          JOB_PORT))
  PROCESSES.append(
      servers.start(
          [
              sys.executable,
              EXPANSION_SERVER,
              '--port=%d' % EXPANSION_PORT,
              '--serve_loopback_worker',
          ],
          EXPANSION_PORT))


def tearDownModule():
  for process in PROCESSES:
    process.terminate()
  for process in PROCESSES:
    process.wait(END_SECONDS)


class NemoRunnerXlangTest(validate_runner_xlang_test.ValidateRunnerXlangTest):
  def create_pipeline(self):
    options = [
        '--job_endpoint=localhost:%d' % JOB_PORT,
        '--environment_type=LOOPBACK',
    ]
    if 'ANEMONE_POLICY' in os.environ:
      options.append('--optimization_policy=' + os.environ['ANEMONE_POLICY'])
    pipeline = TestPipeline(
        portable_runner.PortableRunner(), PipelineOptions(options))
    pipeline.not_use_test_runner_api = True
    return pipeline


# Its own tests would run twice.
del validate_runner_xlang_test

if __name__ == '__main__':
  unittest.main()
