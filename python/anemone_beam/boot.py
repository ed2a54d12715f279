# SPDX-License-Identifier: Apache-2.0
"""Starts an SDK harness in a process, for environments of the type PROCESS.

The runner gives the harness's id, the address of its provision service, and a
directory for its files:

  --environment_type=PROCESS --environment_option=process_command=COMMAND

where COMMAND is an executable that runs `python -m anemone_beam.boot "$@"`.
Files that the program has staged are fetched, and packages among them are
installed into a virtual environment, which is made once for each machine.
"""

import argparse
import os
import sys

import grpc
from google.protobuf import json_format
from google.protobuf import text_format

from anemone_beam import staged
from anemone_beam import virtual_environments
from apache_beam.portability.api import beam_provision_api_pb2
from apache_beam.portability.api import beam_provision_api_pb2_grpc

# How long the provision service has for its answer.
DEADLINE_SECONDS = 60

# Where the runner wants virtual environments to be.
ENVIRONMENTS = 'ANEMONE_PYTHON_ENVIRONMENTS'


def environment(worker_id, info, directory):
  """What the harness reads from its environment variables."""
  return {
      'WORKER_ID': worker_id,
      'SEMI_PERSISTENT_DIRECTORY': directory,
      'PIPELINE_OPTIONS': json_format.MessageToJson(info.pipeline_options),
      'LOGGING_API_SERVICE_DESCRIPTOR': text_format.MessageToString(
          info.logging_endpoint),
      'CONTROL_API_SERVICE_DESCRIPTOR': text_format.MessageToString(
          info.control_endpoint),
      'RUNNER_CAPABILITIES': ' '.join(info.runner_capabilities),
  }


def parse(arguments):
  parser = argparse.ArgumentParser()
  parser.add_argument('--id', required=True)
  parser.add_argument('--provision_endpoint', required=True)
  parser.add_argument(
      '--semi_persist_dir', required=True, help='Directory for staged files.')
  parser.add_argument(
      '--environments',
      default=os.environ.get(ENVIRONMENTS),
      help='Directory of virtual environments (default: the environment '
      'variable %s, else one below --semi_persist_dir).' % ENVIRONMENTS)
  parser.add_argument(
      '--kept_days',
      type=int,
      default=30,
      help='Days that a virtual environment is kept that nobody uses (default: '
      '30).')
  known, _ = parser.parse_known_args(arguments)
  return known


def provision(worker_id, endpoint):
  with grpc.insecure_channel(endpoint) as channel:
    service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
    return service.GetProvisionInfo(
        beam_provision_api_pb2.GetProvisionInfoRequest(),
        timeout=DEADLINE_SECONDS,
        metadata=[('worker_id', worker_id)]).info


def main(arguments):
  known = parse(arguments)
  info = provision(known.id, known.provision_endpoint)
  directory = os.path.join(known.semi_persist_dir, 'staged')
  names = staged.fetch(
      info.artifact_endpoint.url, known.id, info.dependencies, directory)
  packages = virtual_environments.Packages(directory, names)
  python = sys.executable
  if packages:
    environments = known.environments or os.path.join(
        known.semi_persist_dir, 'environments')
    python = virtual_environments.VirtualEnvironments(
        environments, known.kept_days).python_with(packages)
  os.environ.update(environment(known.id, info, known.semi_persist_dir))
  os.execv(
      python, [python, '-m', 'apache_beam.runners.worker.sdk_worker_main'])


if __name__ == '__main__':
  main(sys.argv[1:])
