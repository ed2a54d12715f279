package dev.anemone.beam.ndp;

/**
 * Concludes from a sample and its half what something is for a whole split.
 *
 * @param half size of the half, in any unit
 * @param sample size of the sample
 * @param split size of the split; no smaller than the sample is taken
 */
record Growth(double half, double sample, double split) {

  /** Of the mean so much is the slope, at least: clocks are not exact. */
  private static final double LEAST_SLOPE = 0.5;

  /** Something that is nothing for an empty split. */
  double proportional(double ofSample) {
    return sample <= 0 ? ofSample : ofSample * Math.max(1, split / sample);
  }

  /** Something that has a constant and a slope, neither of which is negative. */
  double linear(double ofHalf, double ofSample) {
    return extrapolated(ofHalf, ofSample, 0);
  }

  /** The same for times, of which a part is the slope however they were measured. */
  double time(double ofHalf, double ofSample) {
    return extrapolated(ofHalf, ofSample, LEAST_SLOPE);
  }

  private double extrapolated(double ofHalf, double ofSample, double leastSlope) {
    if (sample <= 0 || split <= sample) {
      return ofSample;
    }
    double mean = ofSample / sample;
    double slope = half < sample ? (ofSample - ofHalf) / (sample - half) : mean;
    return ofSample + Math.max(leastSlope * mean, Math.min(mean, slope)) * (split - sample);
  }

  /**
   * How many times the groups of the sample the whole split has.
   *
   * @param ofHalf groups in the half
   * @param ofSample groups in the sample
   */
  double groups(double ofHalf, double ofSample) {
    if (half <= 0 || sample <= half || split <= sample || ofHalf <= 0) {
      return 1;
    }
    double power = Math.log(ofSample / ofHalf) / Math.log(sample / half);
    return Math.pow(split / sample, Math.max(0, Math.min(1, power)));
  }
}
