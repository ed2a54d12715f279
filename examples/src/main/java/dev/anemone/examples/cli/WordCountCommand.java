package dev.anemone.examples.cli;

import dev.anemone.examples.wordcount.WordCount;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code anemone wordcount}: see {@link WordCount}. */
@Command(
    name = WordCountCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis = "anemone wordcount --input=FILES --output=PREFIX [Beam options]",
    description = {
      "Counts the words of text files.",
      "Prints the names of the result files, whose lines are 'word: count'.",
      "",
      "  --input=FILES    a file, or a quoted pattern such as '/data/*.txt'",
      "  --output=PREFIX  path prefix of the result files; in a directory: counts-...",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      ""
    })
final class WordCountCommand extends PassThroughCommand {
  static final String NAME = "wordcount";

  @Override
  void call(List<String> arguments) throws Throwable {
    WordCount.main(BeamArguments.withRunner(arguments));
  }
}
