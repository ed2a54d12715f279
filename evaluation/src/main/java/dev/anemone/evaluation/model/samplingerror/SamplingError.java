// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.TextOptions;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.model.samplingerror.MeasuredData.PartitionSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run sampling-error}: how well a part of the producer tasks stands for all. */
@Command(name = "sampling-error")
public final class SamplingError extends ExperimentCommand {
  static final String CHART_FILE = "error.png";

  private static final double PERCENT = 100;

  @Option(
      names = "--rates",
      defaultValue = "1,5,10,20,50",
      split = ",",
      paramLabel = "LIST",
      description = "Producer tasks that are sampled, in percent.")
  private List<Double> percents;

  @Option(names = "--producers", description = "Producer tasks.")
  private int producers = 200;

  @Option(names = "--consumers", description = "Consumer tasks.")
  private int consumers = 8;

  @Option(names = "--multiplier", description = "Partitions for each consumer task.")
  private int multiplier = 64;

  @Mixin private TpchOptions.Skewed tables = new TpchOptions.Skewed(0.3);
  @Mixin private TextOptions words = new TextOptions("50m");

  record Figures(
      int tasks,
      int partitions,
      int consumers,
      double scale,
      String skew,
      long textBytes,
      List<Data> data) {}

  /**
   * @param hashedMaxToMean of the bytes of consumer tasks that read as many partitions each
   */
  record Data(String name, long bytes, double hashedMaxToMean, List<Sample> samples) {}

  /** A sampling rate: the total variation distance, and max/mean of ranges that are drawn so. */
  record Sample(double rate, int sampledTasks, double error, double drawnMaxToMean) {}

  @Override
  protected void check() {
    require("--producers", producers, producers >= 1, "give 1 or more");
    require("--consumers", consumers, consumers >= 1, "give 1 or more");
    require("--multiplier", multiplier, multiplier >= 1, "give 1 or more");
    String reason = "give percents above 0 and up to 100";
    requireRange("--rates", percents, Double.MIN_VALUE, PERCENT, reason);
  }

  @Override
  protected boolean measure() throws IOException {
    int partitions = consumers * multiplier;
    MeasuredData measured = new MeasuredData(producers, partitions);
    Path text = words.corpus(directory()).text();
    List<Double> rates = percents.stream().sorted().map(percent -> percent / PERCENT).toList();
    Figures figures =
        new Figures(
            producers,
            partitions,
            consumers,
            tables.scale(),
            tables.skew().toString(),
            Files.size(text),
            List.of(
                data(
                    "orders by customer",
                    measured.ordersByCustomer(tables.open(evaluation())),
                    rates),
                data("words", measured.words(text), rates),
                data("words, counted by task", measured.countedWords(text), rates)));
    Path chart = directory().resolve(CHART_FILE);
    draw(figures, chart);
    publish(
        figures,
        text(
            "Sampling, %d producer tasks, %d partitions, %d consumer tasks; TPC-H scale %s, skew"
                + " %s; text of %,d bytes",
            producers,
            partitions,
            consumers,
            figures.scale(),
            figures.skew().isEmpty() ? "none" : figures.skew(),
            figures.textBytes()),
        table(figures),
        "The error is the total variation distance between the estimated and the true shares of the"
            + " partitions. max/mean is that of the true bytes of the consumer tasks.",
        "Curves: " + chart);
    return true;
  }

  private Data data(String name, PartitionSizes sizes, List<Double> rates) {
    long[] truth = sizes.all();
    List<Sample> samples = new ArrayList<>();
    for (double rate : rates) {
      int[] sampled = Ranges.sample(rate, sizes.tasks());
      long[] estimate = sizes.of(sampled);
      samples.add(
          new Sample(
              rate,
              sampled.length,
              Ranges.totalVariation(estimate, truth),
              Ranges.maxToMean(Ranges.drawn(estimate, consumers), truth, consumers)));
    }
    return new Data(
        name,
        Arrays.stream(truth).sum(),
        Ranges.maxToMean(Ranges.even(sizes.partitions(), consumers), truth, consumers),
        samples);
  }

  private static MarkdownTable table(Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "shuffle; MB|%.1f; sampled|%.0f %%; tasks; error|%.2f %%; "
                + "max/mean, ranges drawn|%.3f; max/mean, hashed|%.3f");
    for (Data data : figures.data()) {
      for (Sample sample : data.samples()) {
        table.row(
            data.name(),
            data.bytes() / 1e6,
            PERCENT * sample.rate(),
            sample.sampledTasks(),
            PERCENT * sample.error(),
            sample.drawnMaxToMean(),
            data.hashedMaxToMean());
      }
    }
    return table;
  }

  private static void draw(Figures figures, Path file) throws IOException {
    XYChart chart =
        Charts.curves(
            "Error of the estimated distribution over " + figures.partitions() + " partitions",
            "sampled producer tasks, %",
            "total variation distance, %");
    chart.getStyler().setYAxisMin(0.0);
    for (Data data : figures.data()) {
      Charts.add(
          chart,
          data.name(),
          data.samples(),
          sample -> PERCENT * sample.rate(),
          sample -> PERCENT * sample.error());
    }
    Charts.save(chart, file);
  }
}
