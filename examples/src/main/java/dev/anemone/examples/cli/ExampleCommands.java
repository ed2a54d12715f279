// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.CommandProvider;
import dev.anemone.cli.PassThroughCommand;
import dev.anemone.examples.wordcount.CorpusGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** The commands of the examples. */
public final class ExampleCommands implements CommandProvider {
  private static final long TRAINING_TEXT_BYTES = 100_000;
  private static final int TRAINING_TEXT_WORDS = 1_000;

  @Override
  public List<PassThroughCommand> programs() {
    return List.of(
        new WordCountCommand(),
        new TpchCommand(),
        new TpcdsCommand(),
        new TeraSortCommand(),
        new PageRankCommand());
  }

  @Override
  public List<Callable<Integer>> tools() {
    return List.of(new GenerateCorpusCommand(), new TeraGenCommand(), new TeraValidateCommand());
  }

  /** Each kind of program, on very little data. */
  @Override
  public List<List<String>> training(Path directory) throws IOException {
    Path text = directory.resolve("text");
    new CorpusGenerator(TRAINING_TEXT_BYTES, TRAINING_TEXT_WORDS, 1)
        .write(text, directory.resolve("true-counts"));
    String data = "--data=" + directory.resolve("tpch");
    Path parquet = directory.resolve("parquet");
    TrainingTables.write(parquet);
    return List.of(
        List.of("wordcount", "--input=" + text, "--output=" + directory.resolve("counts")),
        List.of("tpch", "--query=3", "--scale=0.001", data),
        List.of("tpch", "--query=1", "--scale=0.001", data),
        List.of("tpch", "--query=3,6", "--tables=NDP", "--data=" + parquet));
  }
}
