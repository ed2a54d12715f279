// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** Repeated measurements of one thing in three numbers, in the unit of the measurements. */
public record Summary(double median, double min, double max) {
  /** Sums up measurements, of which there must be one. */
  public static Summary of(double... measurements) {
    if (measurements.length == 0) {
      throw new IllegalArgumentException("No measurements, so no median.");
    }
    double[] sorted = measurements.clone();
    Arrays.sort(sorted);
    int upper = sorted.length / 2;
    int lower = (sorted.length - 1) / 2;
    return new Summary(
        sorted[lower] + (sorted[upper] - sorted[lower]) / 2, sorted[0], sorted[sorted.length - 1]);
  }

  public static Summary of(Collection<? extends Number> measurements) {
    return of(measurements, Number::doubleValue);
  }

  /** The same for a figure of each of several runs. */
  public static <T> Summary of(Collection<T> runs, ToDoubleFunction<? super T> figure) {
    return of(runs.stream().mapToDouble(figure).toArray());
  }

  /** The standard deviation of a figure of several runs, as of a sample; 0 of one run. */
  public static <T> double deviation(Collection<T> runs, ToDoubleFunction<? super T> figure) {
    double mean = runs.stream().mapToDouble(figure).average().orElse(0);
    double squares =
        runs.stream().mapToDouble(figure).map(value -> (value - mean) * (value - mean)).sum();
    return runs.size() < 2 ? 0 : Math.sqrt(squares / (runs.size() - 1));
  }
}
