# SPDX-License-Identifier: Apache-2.0
"""Virtual environments for what programs have staged, each made once.

An environment is named by what is installed in it. Whoever comes first makes
it, and the others wait. It is kept for later harnesses, and deleted by one that
makes another when nobody has used it for some days.
"""

import fcntl
import hashlib
import os
import shutil
import site
import subprocess
import sys
import time
import venv

import apache_beam

from anemone_beam import staged

# The names that Beam gives them.
REQUIREMENTS = 'requirements.txt'
EXTRA_PACKAGES = 'extra_packages.txt'
WORKFLOW = 'workflow.tar.gz'
SDK = 'dataflow_python_sdk.tar'

COMPLETE = 'complete'
SECONDS_PER_DAY = 24 * 60 * 60


class Packages:
  """What has to be installed of the files in a directory."""
  def __init__(self, directory, names):
    self._directory = directory
    step, _ = staged.STEP_REQUIREMENTS.split('%d')
    self._requirements = [
        name for name in names if name == REQUIREMENTS or name.startswith(step)
    ]
    self._packages = [
        name for name in (SDK, *self._extra(names), WORKFLOW) if name in names
    ]

  def _extra(self, names):
    if EXTRA_PACKAGES not in names:
      return []
    with open(os.path.join(self._directory, EXTRA_PACKAGES)) as lines:
      return [line.strip() for line in lines if line.strip()]

  def __bool__(self):
    return bool(self._requirements or self._packages)

  def key(self):
    """Equal for what is installed alike."""
    digest = hashlib.sha256()
    for text in (sys.version, sys.prefix, apache_beam.__version__):
      digest.update(text.encode() + b'\0')
    for name in self._requirements + self._packages:
      with open(os.path.join(self._directory, name), 'rb') as file:
        content = hashlib.sha256(file.read()).hexdigest()
      digest.update(('%s\0%s\0' % (name, content)).encode())
    return digest.hexdigest()[:32]

  def install(self, python):
    """Installs all of it, as Beam's containers do."""
    def pip(*arguments):
      # What it prints is in the harness's log.
      command = [python, '-m', 'pip', 'install', '-q']
      command += ['--no-warn-script-location', '--disable-pip-version-check']
      return subprocess.run(command + list(arguments), check=False).returncode

    for name in self._requirements:
      path = os.path.join(self._directory, name)
      found = ('-r', path, '--find-links', self._directory)
      if pip('--no-index', *found) and pip(*found):
        raise RuntimeError('pip cannot install the requirements in %s.' % name)
    for name in self._packages:
      path = os.path.join(self._directory, name)
      # The package itself is newer than one of the same version that is there.
      if (pip('--force-reinstall', '--no-deps', path) or
          pip('--find-links', self._directory, path)):
        raise RuntimeError('pip cannot install the package %s.' % name)


class VirtualEnvironments:
  """Those below a directory of this machine that belongs to this user."""
  def __init__(self, directory, kept_days):
    self._directory = directory
    self._kept_seconds = kept_days * SECONDS_PER_DAY

  def python_with(self, packages):
    """A Python that has this process's packages, and these.

    Nobody deletes it until this process has ended, or what it becomes by exec.
    """
    os.makedirs(self._directory, mode=0o700, exist_ok=True)
    if os.stat(self._directory).st_uid != os.getuid():
      raise RuntimeError(
          '%s belongs to somebody else. Delete it, or give --semi_persist_dir.' %
          self._directory)
    key = packages.key()
    path = os.path.join(self._directory, key)
    python = os.path.join(path, 'bin', 'python')
    lock = self._open_lock(key)
    os.utime(lock)
    fcntl.flock(lock, fcntl.LOCK_SH)
    if not os.path.exists(os.path.join(path, COMPLETE)):
      fcntl.flock(lock, fcntl.LOCK_EX)
      if not os.path.exists(os.path.join(path, COMPLETE)):
        self._sweep(key)
        make(path)
        packages.install(python)
        with open(os.path.join(path, COMPLETE), 'w'):
          pass
      fcntl.flock(lock, fcntl.LOCK_SH)
    os.set_inheritable(lock, True)
    return python

  def _open_lock(self, key):
    path = os.path.join(self._directory, key + '.lock')
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

  def _sweep(self, needed):
    """Deletes environments that nobody has used for long, and uses now."""
    for name in os.listdir(self._directory):
      key, extension = os.path.splitext(name)
      if extension != '.lock' or key == needed:
        continue
      lock = self._open_lock(key)
      try:
        if time.time() - os.stat(lock).st_mtime > self._kept_seconds:
          fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
          shutil.rmtree(os.path.join(self._directory, key), ignore_errors=True)
      except BlockingIOError:
        pass  # a harness runs in it
      finally:
        os.close(lock)


def make(path):
  """Makes an environment that sees the packages of this Python behind its own.

  One that was begun by somebody who was killed is deleted first.
  """
  shutil.rmtree(path, ignore_errors=True)
  venv.create(path, symlinks=True)
  version = 'python%d.%d' % sys.version_info[:2]
  packages = os.path.join(path, 'lib', version, 'site-packages')
  with open(os.path.join(packages, 'anemone.pth'), 'w') as file:
    file.write(''.join(directory + '\n' for directory in behind()))


def behind():
  """The directories of packages of this Python."""
  directories = site.getsitepackages()
  if site.ENABLE_USER_SITE:
    directories.append(site.getusersitepackages())
  return directories
