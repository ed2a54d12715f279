package dev.anemone.examples.cli;

import dev.anemone.examples.tpch.Tpch;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code anemone tpch}: see {@link Tpch}. */
@Command(
    name = TpchCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone tpch --query=N [--scale=X] [--skew=S] [--data=DIRECTORY] [Beam options]",
    description = {
      "Runs a TPC-H query (1, 3, 6 or 10) with Beam SQL and prints its rows.",
      "",
      "  --query=N         number of the query",
      "  --scale=X         scale factor of the data, 1 is about a gigabyte (default: 0.1)",
      "  --skew=S          0.25:20: 20 customers own 25 %% of all orders;",
      "                    customers=0.25:20,orders=0.25:20: and 20 orders own 25 %% of all",
      "                    line items, as hot keys do in JCC-H (default: no skew)",
      "  --data=DIRECTORY  .tbl files, generated there if it does not exist",
      "                    (default: a directory per scale and skew under",
      "                    ~/.cache/anemone/tpch)",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      ""
    })
final class TpchCommand extends PassThroughCommand {
  static final String NAME = "tpch";

  @Override
  void call(List<String> arguments) throws Throwable {
    Tpch.main(BeamArguments.withRunner(arguments));
  }
}
