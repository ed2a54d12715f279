package dev.anemone.examples.cli;

import dev.anemone.examples.pagerank.PageRank;
import dev.anemone.examples.terasort.TeraSort;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.wordcount.WordCount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;

/** {@code anemone explain}: the plan after each pass, without running it. */
@Command(
    name = ExplainCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone explain (MAIN_CLASS | wordcount | tpch | terasort | pagerank) [--explain=FORMAT]"
            + " [arguments]",
    description = {
      "Prints the plan of a pipeline after each pass, and does not run it.",
      "",
      "  --explain=FORMAT  text (default), json or dot",
      "  --classpath=JAR:DIRECTORY...  where the classes of MAIN_CLASS are",
      "",
      "Example: anemone explain tpch --query=6 --optimizationPolicy=BasicPush",
      ""
    })
final class ExplainCommand extends PassThroughCommand {
  static final String NAME = "explain";

  @Override
  void call(List<String> given) throws Throwable {
    List<String> arguments = NemoFlags.translated(given);
    if (arguments.isEmpty()) {
      throw new WrongUsageException(
          "The program is missing. Give wordcount, tpch, terasort, pagerank, or the full name of a"
              + " main class.");
    }
    String program = arguments.get(0);
    List<String> options = new ArrayList<>(arguments.subList(1, arguments.size()));
    options.removeIf(option -> option.startsWith("--explainOnly"));
    options.add("--explainOnly=true");
    if (!BeamArguments.has(options, "--explain=")) {
      options.add("--explain=text");
    }
    switch (program) {
      case WordCountCommand.NAME -> explainWordCount(options);
      case TpchCommand.NAME -> Tpch.pipeline(Tpch.options(BeamArguments.withRunner(options))).run();
      case TeraSortCommand.NAME -> explainTeraSort(options);
      case PageRankCommand.NAME -> explainPageRank(options);
      default -> MainClass.named(program).run(BeamArguments.forProgram(options));
    }
  }

  private static void explainWordCount(List<String> options) {
    addOutput(options);
    WordCount.pipeline(
            PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(options))
                .withValidation()
                .as(WordCount.Options.class))
        .run();
  }

  private static void explainTeraSort(List<String> options) throws IOException {
    addOutput(options);
    TeraSort.pipeline(
            PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(options))
                .withValidation()
                .as(TeraSort.Options.class))
        .run();
  }

  private static void explainPageRank(List<String> options) {
    addOutput(options);
    PageRank.pipeline(
            PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(options))
                .withValidation()
                .as(PageRank.Options.class))
        .run();
  }

  /** The plan is the same for any output, and none is written. */
  private static void addOutput(List<String> options) {
    if (!BeamArguments.has(options, "--output=")) {
      options.add("--output=result");
    }
  }
}
