# SPDX-License-Identifier: Apache-2.0
"""A runner that starts its own job server, and stops it at the end."""

import os
import shutil

from apache_beam.options import pipeline_options
from apache_beam.runners.portability import job_server
from apache_beam.runners.portability import portable_runner
from apache_beam.utils import subprocess_server


# Types of environments whose harnesses are processes of their own: in one
# process, only one of them runs Python's code at a time.
PROCESSES = ('PROCESS', 'DOCKER')


class NemoOptions(pipeline_options.PipelineOptions):
  """Where the runner is."""
  @classmethod
  def _add_argparse_args(cls, parser):
    parser.add_argument(
        '--anemone_home',
        default=os.environ.get('ANEMONE_HOME'),
        help='Directory of an unpacked distribution of Anemone, or of its '
        'sources (default: the environment variable ANEMONE_HOME, else the '
        'command anemone of the PATH).')


class NemoRunner(portable_runner.PortableRunner):
  """Runs a pipeline on Anemone, on this machine.

  With --job_endpoint, the job server of that address runs it; without, one is
  started. User code runs in the program's own process if --environment_type
  does not say otherwise. If it runs in processes or containers, there are as
  many as --sdk_worker_parallelism says, or one for each processor but one.
  """
  def default_environment(self, options):
    portable = options.view_as(pipeline_options.PortableOptions)
    if not portable.environment_type:
      portable.environment_type = 'LOOPBACK'
    if (portable.environment_type in PROCESSES and 'sdk_worker_parallelism'
        not in options.get_all_options(drop_default=True)):
      # As many harnesses as there are processors for them.
      portable.sdk_worker_parallelism = 0
    return super().default_environment(options)

  def default_job_server(self, options):
    return job_server.StopOnExitJobServer(NemoJobServer(options))


class NemoJobServer(job_server.SubprocessJobServer):
  """The process of a job server."""
  def __init__(self, options):
    super().__init__()
    self._launcher = launcher(options.view_as(NemoOptions).anemone_home)

  def subprocess_cmd_and_endpoint(self):
    port, = subprocess_server.pick_port(None)
    artifacts = self.local_temp_dir(prefix='artifacts')
    command = [
        self._launcher,
        'job-server',
        '--port=%d' % port,
        '--artifactsDir=%s' % artifacts,
        # A program that is killed stops nothing.
        '--parentProcess=%d' % os.getpid(),
    ]
    return command, 'localhost:%d' % port


def launcher(home):
  """The command that starts Anemone."""
  if home:
    command = os.path.join(home, 'bin', 'anemone')
    if not os.access(command, os.X_OK):
      raise ValueError(
          '--anemone_home=%s has no command bin/anemone. Name the directory of '
          'an unpacked distribution.' % home)
    return command
  command = shutil.which('anemone')
  if not command:
    raise ValueError(
        'There is no command anemone on the PATH. Give '
        '--anemone_home=DIRECTORY, that of an unpacked distribution.')
  return command
