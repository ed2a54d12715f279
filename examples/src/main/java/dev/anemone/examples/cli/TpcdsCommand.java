// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import dev.anemone.cli.ExplainableCommand;
import dev.anemone.cli.VersionText;
import dev.anemone.examples.tpcds.Tpcds;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import picocli.CommandLine.Command;

/** {@code anemone tpcds}: see {@link Tpcds}. */
@Command(
    name = TpcdsCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone tpcds --query=LIST [--scale=X] [--data=DIRECTORY] [--tables=HOW]"
            + " [--output=DIRECTORY] [Beam options]",
    description = {
      "Runs TPC-DS queries with Beam SQL, one after the other, and prints their rows.",
      "",
      "  --query=LIST      numbers of the queries, such as 3, 14a or 1,3,5-7, or all: if one",
      "                    fails, the others still run",
      "  --scale=X         scale factor of the data, 1 is about a gigabyte (default: 0.1)",
      "  --data=DIRECTORY  .dat files of dsdgen in UTF-8, or Parquet files, also on hdfs://...;",
      "                    generated there if it is local and does not exist",
      "                    (default: a directory per scale under ~/.cache/anemone/tpcds)",
      "  --tables=HOW      NDP: tables of TYPE ndp, PCOLLECTIONS: collections (default: sources)",
      "  --output=DIRECTORY  where to write each result as a CSV file, such as q03.csv",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      "",
      "Example: anemone explain tpcds --query=3 --optimizationPolicy=BasicPush",
      ""
    })
final class TpcdsCommand implements ExplainableCommand {
  static final String NAME = "tpcds";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    Tpcds.main(BeamArguments.withRunner(arguments));
  }

  @Override
  public Pipeline pipeline(List<String> arguments) throws IOException {
    return Tpcds.pipeline(Tpcds.options(BeamArguments.withRunner(arguments)));
  }
}
