// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.examples.tpch.TpchDataSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Partitions real data as producer tasks do, estimates the bytes of the partitions from some of the
 * tasks, and compares with the truth: the error of the estimate, and what it means for consumer
 * tasks whose ranges are drawn from it.
 */
final class SamplingErrorExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  /** The curves, likewise. */
  static final String CHART_FILE = "error.png";

  private final SamplingErrorPlan plan;
  private final PrintWriter out;

  /**
   * @param out for the table
   */
  SamplingErrorExperiment(SamplingErrorPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /**
   * Measures all, prints the table, draws the curves, and writes the raw figures.
   *
   * @throws IOException if a file cannot be read or written
   */
  SamplingErrorFigures run() throws IOException {
    Files.createDirectories(plan.directory());
    int partitions = plan.consumers() * plan.multiplier();
    MeasuredData measured = new MeasuredData(plan.tasks(), partitions);
    TpchDataSet dataSet = TpchDataSet.open(plan.data(), plan.scale(), plan.skew());
    SamplingErrorFigures figures =
        new SamplingErrorFigures(
            plan.tasks(),
            partitions,
            plan.consumers(),
            plan.scale(),
            plan.skew().toString(),
            Files.size(plan.text()),
            List.of(
                data("orders by customer", measured.ordersByCustomer(dataSet)),
                data("words", measured.words(plan.text())),
                data("words, counted by task", measured.countedWords(plan.text()))));
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    Path chart = plan.directory().resolve(CHART_FILE);
    ErrorChart.draw(figures, chart);
    print(figures, file, chart);
    return figures;
  }

  private SamplingErrorFigures.Data data(String name, PartitionSizes sizes) {
    long[] truth = sizes.all();
    List<SamplingErrorFigures.Sample> samples = new ArrayList<>();
    for (double rate : plan.rates()) {
      int[] sampled = SampledTasks.of(rate, sizes.tasks());
      long[] estimate = sizes.of(sampled);
      samples.add(
          new SamplingErrorFigures.Sample(
              rate,
              sampled.length,
              EstimateError.totalVariation(estimate, truth),
              Ranges.maxToMean(Ranges.drawn(estimate, plan.consumers()), truth, plan.consumers())));
    }
    return new SamplingErrorFigures.Data(
        name,
        Arrays.stream(truth).sum(),
        Ranges.maxToMean(
            Ranges.even(sizes.partitions(), plan.consumers()), truth, plan.consumers()),
        samples);
  }

  private void print(SamplingErrorFigures figures, Path file, Path chart) {
    MarkdownTable table =
        new MarkdownTable(
            "shuffle",
            "MB",
            "sampled",
            "tasks",
            "error",
            "max/mean, ranges drawn",
            "max/mean, hashed");
    for (SamplingErrorFigures.Data data : figures.data()) {
      for (SamplingErrorFigures.Sample sample : data.samples()) {
        table.row(
            data.name(),
            format("%.1f", data.bytes() / 1e6),
            format("%.0f %%", 100 * sample.rate()),
            Integer.toString(sample.sampledTasks()),
            format("%.2f %%", 100 * sample.error()),
            format("%.3f", sample.drawnMaxToMean()),
            format("%.3f", data.hashedMaxToMean()));
      }
    }
    out.printf(
        Locale.ROOT,
        "Sampling, %d producer tasks, %d partitions, %d consumer tasks; TPC-H scale %s, skew %s;"
            + " text of %,d bytes%n%n%s%n"
            + "The error is the total variation distance between the estimated and the true shares"
            + " of the partitions. max/mean is that of the true bytes of the consumer tasks.%n"
            + "Curves: %s%nRaw figures: %s%n",
        figures.tasks(),
        figures.partitions(),
        figures.consumers(),
        figures.scale(),
        figures.skew().isEmpty() ? "none" : figures.skew(),
        figures.textBytes(),
        table,
        chart,
        file);
    out.flush();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
