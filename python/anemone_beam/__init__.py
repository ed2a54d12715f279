# SPDX-License-Identifier: Apache-2.0
"""Runs Beam pipelines on Anemone."""

from anemone_beam.nemo_runner import NemoRunner

__all__ = ['NemoRunner']
