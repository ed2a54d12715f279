# SPDX-License-Identifier: Apache-2.0
"""Starts an SDK harness in a process, for environments of the type PROCESS.

The runner gives the harness's id and the address of its provision service:

  --environment_type=PROCESS --environment_option=process_command=COMMAND

where COMMAND is an executable that runs `python -m anemone_beam.boot "$@"`.
Files that the program has staged are not fetched: what it imports has to be
installed.
"""

import argparse
import os
import sys

import grpc
from google.protobuf import json_format
from google.protobuf import text_format

from apache_beam.portability.api import beam_provision_api_pb2
from apache_beam.portability.api import beam_provision_api_pb2_grpc

# How long the provision service has for its answer.
DEADLINE_SECONDS = 60


def environment(worker_id, info):
  """What the harness reads from its environment variables."""
  return {
      'WORKER_ID': worker_id,
      'PIPELINE_OPTIONS': json_format.MessageToJson(info.pipeline_options),
      'LOGGING_API_SERVICE_DESCRIPTOR': text_format.MessageToString(
          info.logging_endpoint),
      'CONTROL_API_SERVICE_DESCRIPTOR': text_format.MessageToString(
          info.control_endpoint),
      'RUNNER_CAPABILITIES': ' '.join(info.runner_capabilities),
  }


def main(arguments):
  parser = argparse.ArgumentParser()
  parser.add_argument('--id', required=True)
  parser.add_argument('--provision_endpoint', required=True)
  known, _ = parser.parse_known_args(arguments)
  with grpc.insecure_channel(known.provision_endpoint) as channel:
    service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
    info = service.GetProvisionInfo(
        beam_provision_api_pb2.GetProvisionInfoRequest(),
        timeout=DEADLINE_SECONDS,
        metadata=[('worker_id', known.id)]).info
  os.environ.update(environment(known.id, info))
  os.execv(
      sys.executable,
      [sys.executable, '-m', 'apache_beam.runners.worker.sdk_worker_main'])


if __name__ == '__main__':
  main(sys.argv[1:])
