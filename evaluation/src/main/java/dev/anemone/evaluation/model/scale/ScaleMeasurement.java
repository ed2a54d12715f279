// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.PowerLaw;
import dev.anemone.evaluation.model.scale.ScaleProgram.Costs;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run scale}: what a job of many tasks costs its application master. */
@Command(name = "scale")
public final class ScaleMeasurement extends ExperimentCommand {
  static final String CHART_FILE = "time.png";
  private static final String ALL = "all";

  @Option(
      names = "--tasks",
      defaultValue = "100,300,1000,3000,10000,30000,100000",
      split = ",",
      paramLabel = "LIST",
      description = "Tasks of the jobs, all stages together.")
  private List<Integer> tasks;

  @Option(
      names = "--executors",
      defaultValue = "1,100,5000",
      split = ",",
      paramLabel = "LIST",
      description = "Executors that run them.")
  private List<Integer> executors;

  @Option(
      names = "--policies",
      defaultValue = ALL,
      split = ",",
      paramLabel = "LIST",
      description = "Policies, or all.")
  private List<String> policies;

  @Option(names = "--shuffles", description = "Shuffles of each job, one behind the other.")
  private int shuffles = 1;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of the master, as -Xmx takes it.")
  private String heap = "1g";

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "After which the jobs of one policy and number of executors are ended.")
  private int deadlineSeconds = 600;

  /** All jobs of a policy on so many executors; some may be missing that did not come to an end. */
  record Curve(String policy, int executors, List<ScaleCost> costs) {

    OptionalDouble exponent(ToDoubleFunction<ScaleCost> y) {
      return PowerLaw.exponent(costs, ScaleCost::tasksRun, y);
    }
  }

  record Figures(String heap, int shuffles, List<Integer> tasks, List<Curve> curves) {}

  @Override
  protected void check() {
    requireRange("--tasks", tasks, 2, 10_000_000, "give from 2 to 10,000,000");
    requireRange("--executors", executors, 1, 1_000_000, "give from 1 to 1,000,000");
    requireRange("--shuffles", List.of(shuffles), 1, 100, "give from 1 to 100");
    chosen();
  }

  private List<Policy> chosen() {
    PolicyRegistry registry = PolicyRegistry.ofContext();
    return policies.equals(List.of(ALL))
        ? registry.policies()
        : policies.stream().map(registry::policy).toList();
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<Curve> curves = new ArrayList<>();
    for (Policy policy : chosen()) {
      for (int count : executors) {
        progress("%s, %,d executors", policy.name(), count);
        curves.add(curve(policy, count));
      }
    }
    Figures figures = new Figures(heap, shuffles, tasks, curves);
    Path chart = directory().resolve(CHART_FILE);
    draw(figures, chart);
    publish(
        figures,
        text(
            "Application masters with a heap of %s, jobs of %d shuffles, simulated tasks",
            heap, shuffles),
        table(figures),
        exponents(figures),
        "Exponents: a cost grows with this power of the number of tasks, from a tenth of the"
            + " largest job on. 1 is linear.",
        notMeasured(missing(figures)),
        "Curves: " + chart);
    return missing(figures).isEmpty();
  }

  private Curve curve(Policy policy, int count) throws IOException, InterruptedException {
    String run = policy.name() + "-" + count;
    Path figures = directory().resolve(run + ".json");
    Files.deleteIfExists(figures);
    JavaProgram program =
        JavaProgram.of(
            ScaleProgram.class,
            evaluation().ownClassPath(),
            NemoJvm.options(heap),
            List.of(policy.name(), directory(), figures, shuffles, count),
            tasks);
    MeasuredProcess.run(
        program.command(),
        directory(),
        directory().resolve(run + ".log"),
        Duration.ofSeconds(deadlineSeconds));
    return new Curve(
        policy.name(),
        count,
        Files.exists(figures)
            ? new ObjectMapper().readValue(figures.toFile(), Costs.class).costs()
            : List.of());
  }

  private List<String> missing(Figures figures) {
    return figures.curves().stream()
        .flatMap(
            curve ->
                tasks.stream()
                    .filter(
                        count -> curve.costs().stream().noneMatch(c -> c.shape().tasks() == count))
                    .map(
                        count ->
                            text(
                                "%s, %,d executors, %,d tasks: the master did not come to the end"
                                    + " of it; its log is %s",
                                curve.policy(),
                                curve.executors(),
                                count,
                                directory()
                                    .resolve(curve.policy() + "-" + curve.executors() + ".log"))))
        .toList();
  }

  private static MarkdownTable table(Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "policy; executors|%,d; tasks|%,d; compiled s|%.2f; master s|%.2f; us/task|%.0f;"
                + " heap MB|%.1f; B/task|%,.0f; events handled/task|%.1f; sent/task|%.1f;"
                + " sent MB|%,.1f");
    for (Curve curve : figures.curves()) {
      for (ScaleCost cost : curve.costs()) {
        table.row(
            curve.policy(),
            curve.executors(),
            cost.tasksRun(),
            cost.compileNanos() / 1e9,
            cost.masterNanos() / 1e9,
            cost.masterMicrosPerTask(),
            cost.retainedBytes() / 1e6,
            cost.retainedBytesPerTask(),
            (double) cost.work().handledEvents() / cost.tasksRun(),
            (double) cost.work().sentEvents() / cost.tasksRun(),
            cost.work().sentBytes() / 1e6);
      }
    }
    return table;
  }

  private static MarkdownTable exponents(Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "exponents; executors|%,d; compiling|%.2f; time|%.2f; memory|%.2f;"
                + " events handled|%.2f; events sent|%.2f; bytes sent|%.2f");
    for (Curve curve : figures.curves()) {
      List<ToDoubleFunction<ScaleCost>> costs =
          List.of(
              ScaleCost::compileNanos,
              ScaleCost::masterNanos,
              ScaleCost::retainedBytes,
              cost -> cost.work().handledEvents(),
              cost -> cost.work().sentEvents(),
              cost -> cost.work().sentBytes());
      table.row(
          Stream.concat(
                  Stream.of(curve.policy(), curve.executors()), costs.stream().map(curve::exponent))
              .toArray());
    }
    return table;
  }

  private static void draw(Figures figures, Path file) throws IOException {
    XYChart chart =
        Charts.logarithmicCurves("Processor time of the application master", "tasks", "seconds");
    for (Curve curve : figures.curves()) {
      if (!curve.costs().isEmpty()) {
        Charts.add(
            chart,
            curve.policy() + ", " + curve.executors(),
            curve.costs(),
            ScaleCost::tasksRun,
            cost -> cost.masterNanos() / 1e9);
      }
    }
    if (!chart.getSeriesMap().isEmpty()) {
      Charts.save(chart, file);
    }
  }
}
