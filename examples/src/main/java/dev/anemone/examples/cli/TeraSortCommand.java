// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import dev.anemone.cli.ExplainableCommand;
import dev.anemone.cli.VersionText;
import dev.anemone.examples.terasort.TeraSort;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import picocli.CommandLine.Command;

/** {@code anemone terasort}: see {@link TeraSort}. */
@Command(
    name = TeraSortCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone terasort --input=FILES --output=DIRECTORY [--ranges=N] [Beam options]",
    description = {
      "Sorts records of 100 bytes by their first 10 bytes.",
      "Prints the names of the result files, which hold one range of keys each.",
      "",
      "  --input=FILES       a directory with files part-..., a file, or a quoted pattern",
      "  --output=DIRECTORY  directory of the result files; must not hold any yet",
      "  --ranges=N          number of ranges (default: a range has about 10 MB)",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      ""
    })
final class TeraSortCommand implements ExplainableCommand {
  static final String NAME = "terasort";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    TeraSort.main(BeamArguments.withRunner(arguments));
  }

  @Override
  public Pipeline pipeline(List<String> arguments) throws IOException {
    return TeraSort.pipeline(ExplainedOptions.of(arguments, TeraSort.Options.class));
  }
}
