// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * The raw figures of a comparison, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param beamVersion of all runners
 * @param textBytes size of the text
 * @param words in the text
 * @param distinctWords in the text
 * @param jvmOptions that every runner got
 * @param runs in the order in which they ran
 */
record ComparisonFigures(
    String started,
    Machine machine,
    String beamVersion,
    long textBytes,
    long words,
    int distinctWords,
    List<String> jvmOptions,
    List<Run> runs) {

  /**
   * One run.
   *
   * @param runner its name
   * @param round from 1
   * @param loadBefore of the machine; negative if not known
   * @param outcome in words
   * @param wallSeconds from before the start of the process to after its end
   * @param userCpuSeconds outside the kernel
   * @param systemCpuSeconds in the kernel
   * @param peakResidentBytes the most RAM that the process had
   */
  record Run(
      String runner,
      int round,
      double loadBefore,
      String outcome,
      double wallSeconds,
      double userCpuSeconds,
      double systemCpuSeconds,
      long peakResidentBytes) {

    static Run of(MeasuredRun run) {
      return new Run(
          run.runner(),
          run.round(),
          run.loadBefore(),
          run.outcome().description(),
          run.figures().wall().toNanos() / 1e9,
          run.figures().userCpu().toNanos() / 1e9,
          run.figures().systemCpu().toNanos() / 1e9,
          run.figures().peakResidentBytes());
    }
  }
}
