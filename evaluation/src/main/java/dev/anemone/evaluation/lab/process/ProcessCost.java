// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

/**
 * What a process cost, from its start to its end.
 *
 * @param wallSeconds from before its start to after its end
 * @param userCpuSeconds on a processor outside the kernel, all threads and ended children; what
 *     falls into the last {@link MeasuredProcess#SAMPLING_INTERVAL} may be missing
 * @param systemCpuSeconds on a processor in the kernel, likewise
 * @param peakResidentBytes the most memory that it had in RAM, without its children
 */
public record ProcessCost(
    double wallSeconds, double userCpuSeconds, double systemCpuSeconds, long peakResidentBytes) {

  /** The most memory that it had in RAM, in MB. */
  public double peakMegabytes() {
    return peakResidentBytes / 1e6;
  }
}
