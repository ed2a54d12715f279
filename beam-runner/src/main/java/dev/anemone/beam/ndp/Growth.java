package dev.anemone.beam.ndp;

/**
 * Concludes from a sample and a part of it what something is for a whole split.
 *
 * @param part size of the part, in any unit
 * @param sample size of the sample
 * @param split size of the split; no smaller than the sample is taken
 */
record Growth(double part, double sample, double split) {

  /** Of the mean so much is the slope, at least: clocks are not exact. */
  private static final double LEAST_SLOPE = 0.5;

  /** Something that is nothing for an empty split. */
  double proportional(double ofSample) {
    return sample <= 0 ? ofSample : ofSample * Math.max(1, split / sample);
  }

  /** Something that has a constant and a slope, neither of which is negative. */
  double linear(double ofPart, double ofSample) {
    return extrapolated(ofPart, ofSample, 0);
  }

  /** The same for times, of which a part is the slope however they were measured. */
  double time(double ofPart, double ofSample) {
    return extrapolated(ofPart, ofSample, LEAST_SLOPE);
  }

  private double extrapolated(double ofPart, double ofSample, double leastSlope) {
    if (sample <= 0 || split <= sample) {
      return ofSample;
    }
    double mean = ofSample / sample;
    double slope = part < sample ? (ofSample - ofPart) / (sample - part) : mean;
    return ofSample + Math.max(leastSlope * mean, Math.min(mean, slope)) * (split - sample);
  }

  /**
   * How many times the groups of the sample the whole split has.
   *
   * @param ofPart groups in the part
   * @param ofSample groups in the sample
   */
  double groups(double ofPart, double ofSample) {
    if (part <= 0 || sample <= part || split <= sample || ofPart <= 0) {
      return 1;
    }
    double power = Math.log(ofSample / ofPart) / Math.log(sample / part);
    return Math.pow(split / sample, Math.max(0, Math.min(1, power)));
  }
}
