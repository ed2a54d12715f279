# SPDX-License-Identifier: Apache-2.0
"""Beam's own tests of portable runners, against a job server of NemoRunner.

Run as: ANEMONE_JOB_SERVER='bin/anemone job-server' pytest python/tests/nemo_runner_suite.py

Environment:
  ANEMONE_JOB_SERVER        the command that starts a job server; ports are added
  ANEMONE_POLICY            the optimization policy (default: the runner's)
  ANEMONE_ENVIRONMENT       the type of environment (default: LOOPBACK)
  ANEMONE_PROCESS_COMMAND   what starts a harness, for the type PROCESS
"""

import os
import shlex
import tempfile
import unittest

import servers

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.options.pipeline_options import PortableOptions
from apache_beam.runners.portability import portable_runner
from apache_beam.runners.portability import portable_runner_test

CUSTOM_WINDOWS = 'windows of a WindowFn that Java does not know'
UNBOUNDED = 'unbounded input: the runner is for batches'

# The tests that are left out, and why.
LEFT_OUT = {
    'test_custom_merging_window': CUSTOM_WINDOWS,
    'test_custom_window_type': CUSTOM_WINDOWS,
    'test_pardo_et_timer_with_no_firing': UNBOUNDED,
    'test_pardo_et_timer_with_no_reset': UNBOUNDED,
    'test_pardo_et_timer_with_no_reset_and_no_clear': UNBOUNDED,
    'test_sliding_windows': UNBOUNDED,
    'test_register_finalizations': 'bundles are finalized when their task '
    'commits, not while it runs',
}


class NemoRunnerTest(portable_runner_test.PortableRunnerTest):
  _use_grpc = True
  _use_subprocesses = True
  expansion_port = None

  def setUp(self):
    super().setUp()
    if self._testMethodName in LEFT_OUT:
      self.skipTest(LEFT_OUT[self._testMethodName])

  @classmethod
  def _subprocess_command(cls, job_port, expansion_port):
    cls.expansion_port = expansion_port
    return shlex.split(os.environ['ANEMONE_JOB_SERVER']) + [
        '--port=%s' % job_port,
        '--expansionPort=%s' % expansion_port,
        '--artifactsDir=%s' % tempfile.mkdtemp(prefix='anemone-suite'),
        '--parentProcess=%d' % os.getpid(),
    ]

  @classmethod
  def _start_local_runner_subprocess_job_service(cls):
    cls._maybe_kill_subprocess()
    job_port, expansion_port = cls._pick_unused_ports(num_ports=2)
    cls._subprocess = servers.start(
        cls._subprocess_command(job_port, expansion_port), job_port)
    return 'localhost:%d' % job_port

  @classmethod
  def get_runner(cls):
    return portable_runner.PortableRunner()

  @classmethod
  def get_expansion_service(cls):
    return 'localhost:%s' % cls.expansion_port

  def create_options(self):
    base = super().create_options()
    extra = {}
    if 'ANEMONE_POLICY' in os.environ:
      extra['optimization_policy'] = os.environ['ANEMONE_POLICY']
    options = PipelineOptions(**{**base.get_all_options(drop_default=True), **extra})
    portable = options.view_as(PortableOptions)
    portable.environment_type = os.environ.get('ANEMONE_ENVIRONMENT', 'LOOPBACK')
    portable.environment_options = None
    if 'ANEMONE_PROCESS_COMMAND' in os.environ:
      portable.environment_options = [
          'process_command=' + os.environ['ANEMONE_PROCESS_COMMAND']]
    return options


# Its own tests would run twice.
del portable_runner_test

if __name__ == '__main__':
  unittest.main()
