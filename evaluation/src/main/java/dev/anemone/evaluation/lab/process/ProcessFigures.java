// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a process cost, from its start to its end.
 *
 * @param exitCode empty if it was killed because its deadline had passed
 * @param wall time from before its start to after its end
 * @param userCpu time on a processor outside the kernel, all threads and ended children; what falls
 *     into the last {@link MeasuredProcess#SAMPLING_INTERVAL} may be missing
 * @param systemCpu time on a processor in the kernel, likewise
 * @param peakResidentBytes the most memory that it had in RAM, without its children
 */
public record ProcessFigures(
    OptionalInt exitCode,
    Duration wall,
    Duration userCpu,
    Duration systemCpu,
    long peakResidentBytes) {

  /** Whether the process ended by itself and reported success. */
  public boolean succeeded() {
    return exitCode.isPresent() && exitCode.getAsInt() == 0;
  }
}
