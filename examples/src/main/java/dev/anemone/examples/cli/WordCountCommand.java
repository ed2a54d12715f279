// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import dev.anemone.cli.ExplainableCommand;
import dev.anemone.cli.VersionText;
import dev.anemone.examples.wordcount.WordCount;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import picocli.CommandLine.Command;

/** {@code anemone wordcount}: see {@link WordCount}. */
@Command(
    name = WordCountCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis = "anemone wordcount --input=FILES --output=PREFIX [Beam options]",
    description = {
      "Counts the words of text files.",
      "Prints the names of the result files, whose lines are 'word: count'; with --detached, only",
      "starts the job.",
      "",
      "  --input=FILES    a file, or a quoted pattern such as '/data/*.txt'",
      "  --output=PREFIX  path prefix of the result files; in a directory: counts-...",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      "",
      "Example: anemone wordcount --input=README.md --output=/tmp/counts",
      ""
    })
final class WordCountCommand implements ExplainableCommand {
  static final String NAME = "wordcount";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    WordCount.main(BeamArguments.withRunner(arguments));
  }

  @Override
  public Pipeline pipeline(List<String> arguments) {
    return WordCount.pipeline(ExplainedOptions.of(arguments, WordCount.Options.class));
  }
}
