// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.runtime.stage.Redrawing.MeasuredShuffle;
import dev.anemone.runtime.stage.Redrawing.Reading;
import dev.anemone.runtime.stage.StageSample.MeasuredLink;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SamplePlannerTest {

  private static final String MESSAGE = "sizes";

  private static List<StagePlan> plans(IRDag dag) {
    return new StagePlanner(
            TransferSeparation.separate(StagePartitioner.partition(Sampling.originals(dag))),
            Sampling.of(dag))
        .plan(new StagePlan.Job("job", new byte[0], "file:///reports"));
  }

  private static StagePlan planOf(List<StagePlan> plans, String vertex) {
    return plans.stream()
        .filter(plan -> plan.stage().vertices().stream().anyMatch(v -> v.id().equals(vertex)))
        .findFirst()
        .orElseThrow();
  }

  private static IRDag twoShuffles() {
    return new TestDags()
        .numbers("read", 10, 1, 1)
        .operator("first", TestFunctions.SUM, 4)
        .operator("second", TestFunctions.SUM, 2)
        .grouped("read", "first", 4)
        .grouped("first", "second", 2)
        .build();
  }

  @Test
  void withoutSamplingsNothingIsMeasuredOrDrawn() {
    for (StagePlan plan : plans(twoShuffles())) {
      assertThat(plan.sample()).isEmpty();
      assertThat(plan.redrawing()).isEmpty();
    }
  }

  @Test
  void clonesAreTakenOutOfTheGraphAndTheirTasksAreTheOriginals() {
    IRDag dag = twoShuffles();
    IRDag sampled =
        dag.apply(InsertSampling.of("e0", Set.of("read"), List.of(2, 7), MESSAGE, "Test"));
    assertThat(Sampling.originals(sampled)).isEqualTo(dag);
    assertThat(Sampling.of(sampled))
        .containsExactly(new Sampling(MESSAGE, Map.of("e0", List.of(2, 7)), Set.of("read"), true));

    List<StagePlan> plans = plans(sampled);
    String first = planOf(plans, "first").stage().name();
    assertThat(planOf(plans, "read").sample())
        .contains(
            new StageSample(
                List.of(2, 7),
                List.of(new MeasuredLink(first, MESSAGE, List.of(first))),
                Set.of(first)));
    assertThat(planOf(plans, "first").redrawing())
        .contains(
            new Redrawing(
                MESSAGE,
                List.of(
                    new MeasuredShuffle(
                        planOf(plans, "read").stage().name(),
                        first,
                        List.of("e0"),
                        2,
                        10,
                        4,
                        List.of(new Reading("e0", "e0")))),
                Map.of(planOf(plans, "read").stage().name(), new Reading("e0", "e0")),
                8));
    assertThat(planOf(plans, "second").redrawing()).isEqualTo(Optional.empty());
  }

  @Test
  void behindAnAggregationTheConsumerIsDrawn() {
    IRDag dag =
        new TestDags()
            .numbers("read", 10, 1, 1)
            .aggregation("relay", 2)
            .operator("sum", TestFunctions.SUM, 4)
            .pushed("read", "relay", "main", 2, 4)
            .aggregated("relay", "main", "sum", 4)
            .build();
    List<StagePlan> plans =
        plans(dag.apply(InsertSampling.of("e0", Set.of("read"), List.of(2, 7), MESSAGE, "Test")));
    String relay = planOf(plans, "relay").stage().name();
    String sum = planOf(plans, "sum").stage().name();
    assertThat(planOf(plans, "read").sample().orElseThrow().measured())
        .containsExactly(new MeasuredLink(relay, MESSAGE, List.of(sum)));
    assertThat(planOf(plans, "relay").redrawing()).isEmpty();
    Redrawing redrawing = planOf(plans, "sum").redrawing().orElseThrow();
    assertThat(redrawing.inputs()).isEqualTo(Map.of(relay, new Reading("e1", "e1")));
    assertThat(redrawing.shuffles().get(0).readings()).containsExactly(new Reading("e1", "e1"));
    assertThat(planOf(plans, "relay").outputs())
        .extracting(Link::mayBeDivided)
        .containsExactly(true);
    assertThat(planOf(plans, "read").outputs())
        .extracting(Link::mayBeDivided)
        .containsExactly(false);
    assertThat(planOf(plans(dag), "relay").outputs())
        .extracting(Link::mayBeDivided)
        .containsExactly(false);
  }

  @Test
  void aStageThatIsSampledItselfKeepsItsNumberOfTasks() {
    IRDag one =
        twoShuffles().apply(InsertSampling.of("e0", Set.of("read"), List.of(2), MESSAGE, "Test"));
    assertThat(Resizing.resizableVertices(plans(one))).containsExactly("first");
    IRDag both = one.apply(InsertSampling.of("e1", Set.of("first"), List.of(2), "other", "Test"));
    assertThat(Resizing.resizableVertices(plans(both))).containsExactly("second");
  }

  @Test
  void aStageOfWhichAllTasksAreSampledCanGetFewer() {
    IRDag one =
        twoShuffles().apply(InsertSampling.of("e0", Set.of("read"), List.of(2), MESSAGE, "Test"));
    IRDag both =
        one.apply(InsertSampling.of("e1", Set.of("first"), List.of(0, 1, 2, 3), "other", "Test"));
    assertThat(Resizing.resizableVertices(plans(both)))
        .containsExactlyInAnyOrder("first", "second");
  }
}
