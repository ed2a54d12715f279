// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.process.ProcessFigures;

/**
 * One of the three programs, as it ran.
 *
 * @param program its name, as {@code bin/anemone} knows it
 * @param seconds of the whole process
 * @param userCpuSeconds outside the kernel
 * @param peakResidentBytes the most RAM that the process had
 */
record TeraSortStep(String program, double seconds, double userCpuSeconds, long peakResidentBytes) {

  static TeraSortStep of(String program, ProcessFigures figures) {
    return new TeraSortStep(
        program,
        figures.wall().toNanos() / 1e9,
        figures.userCpu().toNanos() / 1e9,
        figures.peakResidentBytes());
  }
}
