// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How something grows with something else: {@code y = factor * x ^ exponent}, by least squares of
 * the logarithms. Of the points those count whose {@code x} is at least a tenth of the largest,
 * since what costs the same at every size hides the growth of the small ones.
 */
public record PowerLaw(double factor, double exponent) {

  private static final double COUNTED = 0.09;

  /** The law of points, where there are two with something to be seen. */
  public static <T> Optional<PowerLaw> of(
      List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    double largest = points.stream().mapToDouble(x).max().orElse(0);
    List<T> counted =
        points.stream()
            .filter(p -> x.applyAsDouble(p) >= COUNTED * largest && y.applyAsDouble(p) > 0)
            .toList();
    if (counted.stream().mapToDouble(x).distinct().count() < 2) {
      return Optional.empty();
    }
    double meanX =
        counted.stream().mapToDouble(p -> Math.log(x.applyAsDouble(p))).average().orElseThrow();
    double meanY =
        counted.stream().mapToDouble(p -> Math.log(y.applyAsDouble(p))).average().orElseThrow();
    double covariance = 0;
    double variance = 0;
    for (T point : counted) {
      double deltaX = Math.log(x.applyAsDouble(point)) - meanX;
      covariance += deltaX * (Math.log(y.applyAsDouble(point)) - meanY);
      variance += deltaX * deltaX;
    }
    double exponent = covariance / variance;
    return Optional.of(new PowerLaw(Math.exp(meanY - exponent * meanX), exponent));
  }

  /** The exponent alone, likewise. */
  public static <T> OptionalDouble exponent(
      List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    return of(points, x, y)
        .map(law -> OptionalDouble.of(law.exponent()))
        .orElseGet(OptionalDouble::empty);
  }

  /** What the law has for an {@code x} above 0. */
  public double at(double x) {
    return factor * Math.pow(x, exponent);
  }
}
