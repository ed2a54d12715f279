# SPDX-License-Identifier: Apache-2.0
"""Starts the servers that tests need."""

import socket
import subprocess
import time

START_SECONDS = 300
LOOK_AGAIN_SECONDS = 0.1


def start(command, port):
  """Starts a command, and waits until it listens at a port of this machine.

  A gRPC channel would wait longer and longer between its attempts.
  """
  process = subprocess.Popen(command)
  end = time.time() + START_SECONDS
  while not listens(port):
    if process.poll() is not None:
      raise RuntimeError(
          '%s has ended with exit code %d' % (command, process.returncode))
    if time.time() > end:
      process.kill()
      raise RuntimeError(
          '%s does not listen at port %d after %d s' %
          (command, port, START_SECONDS))
    time.sleep(LOOK_AGAIN_SECONDS)
  return process


def listens(port):
  with socket.socket() as connection:
    return connection.connect_ex(('127.0.0.1', port)) == 0
