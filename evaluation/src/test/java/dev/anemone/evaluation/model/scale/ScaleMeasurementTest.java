// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.report.PowerLaw;
import dev.anemone.evaluation.model.scale.ScaledJob.Shape;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class ScaleMeasurementTest {

  private static final double LINEAR = 1.15;

  /** Its consumers run beside all their producers, and are told of each of them as it ends. */
  private static final String READING_EARLY = "BasicPush";

  private static final int EXECUTORS = 32;
  private static final double FEW_EVENTS = 2;

  /** A quarter of the executors aggregate, and hear of each producer as it ends. */
  private static final double EVENTS = EXECUTORS / 4 + FEW_EVENTS;

  private static final double EVENT_BYTES = 400;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void saysWhatATaskCostsAndHowThatGrows() throws IOException {
    Trial trial =
        Trial.of(
            directory,
            "scale",
            "--tasks=40,80,160",
            "--executors=7",
            "--policies=LargeShuffle",
            "--heap=256m");
    List<ScaleMeasurement.Curve> curves = trial.figures(ScaleMeasurement.Figures.class).curves();
    assertThat(curves).singleElement().satisfies(curve -> assertThat(curve.costs()).hasSize(3));
    assertThat(curves.get(0).exponent(cost -> cost.work().handledEvents())).isNotEmpty();
    assertThat(trial.out()).contains("| LargeShuffle", "us/task", "| exponents");
    assertThat(trial.results().resolve(ScaleMeasurement.CHART_FILE)).isNotEmptyFile();
  }

  static Stream<String> policies() {
    return PolicyRegistry.ofContext().policies().stream().map(Policy::name);
  }

  /** Operations are counted, which a busy machine does not change. */
  @ParameterizedTest
  @MethodSource("policies")
  void whatAMasterDoesGrowsWithTheTasks(String policy) throws IOException {
    List<ScaleCost> costs = new ArrayList<>();
    for (int tasks : new int[] {300, 900}) {
      costs.add(
          ScaleCost.of(
              PolicyRegistry.ofContext().policy(policy),
              new Shape(tasks, 1, EXECUTORS),
              directory.resolve("job")));
    }
    assertLinear(costs, cost -> cost.work().handledEvents());
    if (!policy.equals(READING_EARLY)) {
      assertThat(costs)
          .allSatisfy(
              cost -> {
                assertThat(cost.work().sentEvents()).isLessThan((long) (EVENTS * cost.tasksRun()));
                assertThat(cost.work().sentBytes())
                    .isLessThan((long) (EVENTS * EVENT_BYTES * cost.tasksRun()));
              });
    }
  }

  /** What a producer tells of what it pushed is told to all to whom it pushed. */
  @Test
  void anEventIsNoLargerWhereMoreIsPushedTo() throws IOException {
    for (int executors : new int[] {40, 400}) {
      ScaleCost cost =
          ScaleCost.of(
              PolicyRegistry.ofContext().policy("LargeShuffle"),
              new Shape(800, 1, executors),
              directory.resolve("job"));
      assertThat(cost.work().sentEvents())
          .as("each producer is announced to each aggregation task, of %s", cost)
          .isGreaterThan(400L * executors / 4);
      assertThat(cost.work().sentBytes())
          .as("of %s", cost)
          .isLessThan((long) (EVENT_BYTES * cost.work().sentEvents()));
    }
  }

  private static void assertLinear(List<ScaleCost> costs, ToDoubleFunction<ScaleCost> what) {
    assertThat(PowerLaw.exponent(costs, ScaleCost::tasksRun, what).orElseThrow())
        .as("exponent, of %s", costs)
        .isLessThan(LINEAR);
  }
}
