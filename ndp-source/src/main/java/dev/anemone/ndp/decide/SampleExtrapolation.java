// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * Concludes from a sample and a part of it what something is for a whole split.
 *
 * @param part size of the part, in any unit
 * @param sample size of the sample
 * @param split size of the split; no smaller than the sample is taken
 */
public record SampleExtrapolation(double part, double sample, double split) {

  /** Something that is nothing for an empty split. */
  public double proportional(double ofSample) {
    return sample <= 0 ? ofSample : ofSample * Math.max(1, split / sample);
  }

  /**
   * How many times the groups of the sample the whole split has.
   *
   * @param ofPart groups in the part
   * @param ofSample groups in the sample
   */
  public double groups(double ofPart, double ofSample) {
    if (part <= 0 || sample <= part || split <= sample || ofPart <= 0) {
      return 1;
    }
    double power = Math.log(ofSample / ofPart) / Math.log(sample / part);
    return Math.pow(split / sample, Math.max(0, Math.min(1, power)));
  }
}
