# SPDX-License-Identifier: Apache-2.0
"""What harnesses in processes do before they start."""

import fcntl
import os
import subprocess
import sys
import time

import pytest
from apache_beam.portability import common_urns
from apache_beam.portability.api import beam_artifact_api_pb2
from apache_beam.portability.api import beam_runner_api_pb2

from anemone_beam import staged
from anemone_beam import virtual_environments

DAY = virtual_environments.SECONDS_PER_DAY


class Packages:
  """Stands for some packages; notes who installs them."""
  def __init__(self, key, log):
    self._key = key
    self._log = log

  def key(self):
    return self._key

  def install(self, python):
    subprocess.run([python, '-c', 'import apache_beam'], check=True)
    with open(self._log, 'a') as log:
      log.write(self._key + '\n')


@pytest.fixture
def log(tmp_path):
  return tmp_path / 'log'


@pytest.fixture
def environments(tmp_path):
  return virtual_environments.VirtualEnvironments(
      str(tmp_path / 'environments'), kept_days=3)


def installed(log):
  return log.read_text().split()


def test_an_environment_is_made_once(environments, log):
  first = environments.python_with(Packages('some', log))
  assert environments.python_with(Packages('some', log)) == first
  assert installed(log) == ['some']


def test_those_who_come_at_the_same_time_wait(tmp_path, log):
  program = """
import sys
sys.path.insert(0, %r)
import boot_test
from anemone_beam import virtual_environments
virtual_environments.VirtualEnvironments(%r, 3).python_with(
    boot_test.Packages('some', %r))
""" % (os.path.dirname(__file__), str(tmp_path / 'environments'), str(log))
  processes = [
      subprocess.Popen([sys.executable, '-c', program]) for _ in range(3)
  ]
  assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
  assert installed(log) == ['some']


def test_what_somebody_has_begun_is_made_anew(environments, log, tmp_path):
  begun = tmp_path / 'environments' / 'some' / 'bin'
  begun.mkdir(parents=True)
  (begun / 'python').write_text('no program')
  environments.python_with(Packages('some', log))
  assert installed(log) == ['some']


def test_what_nobody_uses_goes(environments, log, tmp_path):
  lock = tmp_path / 'environments' / 'old.lock'
  complete = tmp_path / 'environments' / 'old' / 'complete'
  subprocess.run([
      sys.executable, '-c', """
import sys
sys.path.insert(0, %r)
import boot_test
from anemone_beam import virtual_environments
virtual_environments.VirtualEnvironments(%r, 3).python_with(
    boot_test.Packages('old', %r))
""" % (os.path.dirname(__file__), str(tmp_path / 'environments'), str(log))
  ], check=True)

  environments.python_with(Packages('young', log))
  assert complete.exists()

  os.utime(lock, (time.time() - 4 * DAY,) * 2)
  with open(lock) as used:
    fcntl.flock(used, fcntl.LOCK_SH)
    environments.python_with(Packages('younger', log))
    assert complete.exists()

  environments.python_with(Packages('youngest', log))
  assert not complete.exists()


def artifact(name, role=common_urns.artifact_roles.STAGING_TO.urn):
  return beam_runner_api_pb2.ArtifactInformation(
      role_urn=role,
      role_payload=beam_runner_api_pb2.ArtifactStagingToRolePayload(
          staged_name=name).SerializeToString())


@pytest.mark.parametrize('name', ['/etc/passwd', '../file', 'a/../../file'])
def test_files_outside_are_refused(name):
  with pytest.raises(ValueError, match='not below the directory'):
    staged.staged_name(artifact(name), 0)


def test_a_role_that_is_not_known_is_named():
  with pytest.raises(ValueError, match='beam:role:new'):
    staged.staged_name(artifact('file', 'beam:role:new'), 0)


def test_what_arrives_broken_is_refused(tmp_path):
  chunks = [beam_artifact_api_pb2.GetArtifactResponse(data=b'some')]
  with pytest.raises(ValueError, match='The staged file x has the SHA-256'):
    staged.write(str(tmp_path / 'x'), chunks, 'ab' * 32)
