// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param load of the machine before; negative if not known
 * @param fileBytes size of the file
 * @param rows that the filter keeps
 * @param proxySeconds of each round
 * @param duckDbSeconds of each round
 */
record ScanFigures(
    String started,
    Machine machine,
    double load,
    long fileBytes,
    long rows,
    List<Double> proxySeconds,
    List<Double> duckDbSeconds) {

  ScanFigures {
    proxySeconds = List.copyOf(proxySeconds);
    duckDbSeconds = List.copyOf(duckDbSeconds);
  }

  static Summary summary(List<Double> seconds) {
    return Summary.of(seconds.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The proxy's rate as a part of DuckDB's, by the medians. */
  double ratio() {
    return summary(duckDbSeconds).median() / summary(proxySeconds).median();
  }
}
