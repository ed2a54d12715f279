// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import dev.anemone.cli.ExplainableCommand;
import dev.anemone.cli.VersionText;
import dev.anemone.examples.tpch.Tpch;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import picocli.CommandLine.Command;

/** {@code anemone tpch}: see {@link Tpch}. */
@Command(
    name = TpchCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone tpch --query=LIST [--scale=X] [--skew=S] [--data=DIRECTORY] [--output=DIRECTORY]"
            + " [Beam options]",
    description = {
      "Runs TPC-H queries with Beam SQL, one after the other, and prints their rows.",
      "",
      "  --query=LIST      numbers of the queries, such as 6 or 1,3,5-7, or all: if one fails,",
      "                    the others still run",
      "  --scale=X         scale factor of the data, 1 is about a gigabyte (default: 0.1)",
      "  --skew=S          0.25:20: 20 customers own 25 %% of all orders;",
      "                    customers=0.25:20,orders=0.25:20: and 20 orders own 25 %% of all",
      "                    line items, as hot keys do in JCC-H (default: no skew)",
      "  --data=DIRECTORY  .tbl files of dbgen, or Parquet files, also on hdfs://...;",
      "                    generated there if it is local and does not exist",
      "                    (default: a directory per scale and skew under",
      "                    ~/.cache/anemone/tpch)",
      "  --output=DIRECTORY  where to write each result as a CSV file, such as q06.csv",
      "  --plannerName=CLASS  planner of SQL instead of AnemoneQueryPlanner; gets texts that"
          + " Beam's",
      "                    own planner,"
          + " org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner,",
      "                    can plan, though it takes minutes where many tables are joined",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      "",
      "Example: anemone explain tpch --query=6 --optimizationPolicy=BasicPush",
      ""
    })
final class TpchCommand implements ExplainableCommand {
  static final String NAME = "tpch";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    Tpch.main(BeamArguments.withRunner(arguments));
  }

  @Override
  public Pipeline pipeline(List<String> arguments) throws IOException {
    return Tpch.pipeline(Tpch.options(BeamArguments.withRunner(arguments)));
  }
}
