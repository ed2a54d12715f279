// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * Times of a trivial pipeline, run again and again in one JVM: from the start of its construction
 * until its result and its metrics are there.
 *
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param firstMilliseconds of the first run, which loads the classes and starts the engine
 * @param laterMilliseconds of the runs after it, in their order
 */
public record StartupFigures(
    Machine machine, double loadBefore, double firstMilliseconds, List<Double> laterMilliseconds) {

  /** The runs after the first one, in milliseconds. */
  public Summary later() {
    return Summary.of(laterMilliseconds.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
