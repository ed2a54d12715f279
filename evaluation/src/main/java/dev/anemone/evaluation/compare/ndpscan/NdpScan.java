// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.sql.SQLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp-scan}: how fast a proxy filters text. */
@Command(
    name = "ndp-scan",
    sortOptions = false,
    description =
        "A proxy beside a data node filters TPC-H's lineitem as text, and in turn with it DuckDB"
            + " with one thread, on the same file. Prints the rates.%n")
public final class NdpScan extends ExperimentCommand {
  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "X",
      description = "Scale factor of the data; 1 is a file of 750 MB (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--runs",
      defaultValue = "5",
      paramLabel = "N",
      description = "Rounds; both have a turn in each (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  protected boolean measure() throws IOException, SQLException {
    require("--runs", runs, runs >= 1, "there must be a round");
    try {
      TpchDataSet.check(scale, TpchSkew.NONE);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage(), e);
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    ScanPlan plan =
        new ScanPlan(
            evaluation.results("ndp-scan"),
            evaluation.results("tpch").resolve(TpchDataSet.name(scale, TpchSkew.NONE)),
            scale,
            runs);
    new ScanExperiment(plan, out(), err()).run();
    return true;
  }
}
