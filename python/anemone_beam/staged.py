# SPDX-License-Identifier: Apache-2.0
"""Fetches the files that a program has staged."""

import hashlib
import os

import grpc

from apache_beam.portability import common_urns
from apache_beam.portability.api import beam_artifact_api_pb2
from apache_beam.portability.api import beam_artifact_api_pb2_grpc
from apache_beam.portability.api import beam_runner_api_pb2

# Of requirements that a step brings with it, which have no names of their own.
STEP_REQUIREMENTS = 'step-requirements-%d.txt'


def fetch(endpoint, worker_id, artifacts, directory):
  """Fetches artifacts into a directory.

  Returns the names of their files, in order.
  """
  if not artifacts:
    return []
  os.makedirs(directory, exist_ok=True)
  with grpc.insecure_channel(endpoint) as channel:
    service = beam_artifact_api_pb2_grpc.ArtifactRetrievalServiceStub(channel)
    metadata = [('worker_id', worker_id)]
    resolved = service.ResolveArtifacts(
        beam_artifact_api_pb2.ResolveArtifactsRequest(artifacts=artifacts),
        metadata=metadata).replacements
    names = []
    for number, artifact in enumerate(resolved):
      name = staged_name(artifact, number)
      chunks = service.GetArtifact(
          beam_artifact_api_pb2.GetArtifactRequest(artifact=artifact),
          metadata=metadata)
      write(os.path.join(directory, name), chunks, expected_hash(artifact))
      names.append(name)
    return names


def staged_name(artifact, number):
  """The path of an artifact below the directory of staged files."""
  roles = common_urns.artifact_roles
  if artifact.role_urn == roles.PIP_REQUIREMENTS_FILE.urn:
    return STEP_REQUIREMENTS % number
  if artifact.role_urn != roles.STAGING_TO.urn:
    raise ValueError(
        'A staged file has the role %s, which is not known here.' %
        artifact.role_urn)
  name = beam_runner_api_pb2.ArtifactStagingToRolePayload.FromString(
      artifact.role_payload).staged_name
  if os.path.isabs(name) or '..' in name.split('/'):
    raise ValueError(
        'A staged file is to be %s, which is not below the directory of '
        'staged files.' % name)
  return name


def expected_hash(artifact):
  """The SHA-256 that the program has given, in hexadecimal; else empty."""
  if artifact.type_urn != common_urns.artifact_types.FILE.urn:
    return ''
  return beam_runner_api_pb2.ArtifactFilePayload.FromString(
      artifact.type_payload).sha256


def write(path, chunks, expected):
  """Writes a file, and compares its hash."""
  os.makedirs(os.path.dirname(path), exist_ok=True)
  digest = hashlib.sha256()
  with open(path, 'wb') as file:
    for chunk in chunks:
      digest.update(chunk.data)
      file.write(chunk.data)
  if expected and digest.hexdigest() != expected:
    raise ValueError(
        'The staged file %s has the SHA-256 %s, and not %s as the program '
        'said. Run it again.' %
        (os.path.basename(path), digest.hexdigest(), expected))
