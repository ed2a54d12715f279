// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run sampling-error}: how well a part of the producer tasks stands for all. */
@Command(
    name = "sampling-error",
    sortOptions = false,
    description =
        "Partitions skewed orders by customer, and the words of a text, as producer tasks do;"
            + " estimates the sizes of the partitions from some of the tasks, and compares with the"
            + " truth. Prints a table and draws the curves.%n")
public final class SamplingError extends ExperimentCommand {
  private static final double PERCENT = 100;

  @Option(
      names = "--rates",
      defaultValue = "1,5,10,20,50",
      split = ",",
      paramLabel = "LIST",
      description = "Producer tasks that are sampled, in percent (default: ${DEFAULT-VALUE}).")
  private List<Double> percents;

  @Option(
      names = "--producers",
      defaultValue = "200",
      paramLabel = "N",
      description = "Producer tasks (default: ${DEFAULT-VALUE}).")
  private int producers;

  @Option(
      names = "--consumers",
      defaultValue = "8",
      paramLabel = "N",
      description = "Consumer tasks (default: ${DEFAULT-VALUE}).")
  private int consumers;

  @Option(
      names = "--multiplier",
      defaultValue = "64",
      paramLabel = "N",
      description = "Partitions for each consumer task (default: ${DEFAULT-VALUE}).")
  private int multiplier;

  @Option(
      names = "--scale",
      defaultValue = "0.3",
      paramLabel = "X",
      description = "Scale factor of the TPC-H data (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--skew",
      defaultValue = "customers=0.25:20,orders=0.25:20",
      paramLabel = "S",
      description = "Skew of that data, as 'anemone tpch' takes it (default: ${DEFAULT-VALUE}).")
  private String skew;

  @Option(
      names = "--bytes",
      defaultValue = "50m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "Size of the text (default: ${DEFAULT-VALUE}).")
  private long textBytes;

  @Option(
      names = "--words",
      defaultValue = "200000",
      paramLabel = "N",
      description = "Size of the text's vocabulary (default: ${DEFAULT-VALUE}).")
  private int distinctWords;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the text (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  protected boolean measure() throws IOException {
    require("--producers", producers, producers >= 1, "give 1 or more");
    require("--consumers", consumers, consumers >= 1, "give 1 or more");
    require("--multiplier", multiplier, multiplier >= 1, "give 1 or more");
    for (double percent : percents) {
      if (!(percent > 0 && percent <= PERCENT)) {
        throw wrong("--rates=" + percent + ": give percents above 0 and up to 100.");
      }
    }
    TpchSkew parsedSkew;
    try {
      parsedSkew = TpchSkew.parse(skew);
      TpchDataSet.check(scale, parsedSkew);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage(), e);
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    Path directory = evaluation.results("sampling-error");
    SamplingErrorPlan plan =
        new SamplingErrorPlan(
            directory,
            evaluation.results("tpch").resolve(TpchDataSet.name(scale, parsedSkew)),
            scale,
            parsedSkew,
            Corpus.of(directory.resolve("corpus"), textBytes, distinctWords, seed).text(),
            producers,
            consumers,
            multiplier,
            percents.stream().sorted().map(percent -> percent / PERCENT).toList());
    new SamplingErrorExperiment(plan, out()).run();
    return true;
  }
}
