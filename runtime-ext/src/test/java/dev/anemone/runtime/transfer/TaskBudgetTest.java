// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who runs beside aggregations leaves half of the memory to them, and who comes after does not. */
class TaskBudgetTest {

  private static final long BYTES = 64L << 20;
  private static final int SLOTS = 2;

  @Test
  void withoutAggregationsAllIsForTasks() {
    TaskBudget budget =
        budget(
            new TestDags()
                .source("read", "a=1")
                .operator("sum", TestFunctions.SUM, 2)
                .grouped("read", "sum", 2)
                .build());
    assertThat(budget.aggregationBytes()).isZero();
    assertThat(budget.taskBytes() + budget.tableBytes()).isEqualTo(BYTES / SLOTS);
    assertThat(budget.afterAggregations().stages()).isEmpty();
  }

  @Test
  void whoReadsWhatTheLastAggregationHasGatheredHasItsMemory() {
    List<StagePlan> plans = plans(twoAggregations().build());
    TaskBudget budget = TaskBudget.ofSlots(BYTES, SLOTS, plans);
    assertThat(budget.aggregationBytes()).isEqualTo(BYTES / 2 / 2);
    assertThat(bytes(budget, plans, "read")).isEqualTo(BYTES / 2 / SLOTS);
    assertThat(bytes(budget, plans, "sum"))
        .as("it pushes to the second one")
        .isEqualTo(BYTES / 2 / SLOTS);
    assertThat(bytes(budget, plans, "again")).isEqualTo(BYTES / SLOTS);
  }

  @Test
  void whoMayRunBesideAnAggregationOfAnotherBranchDoesNot() {
    List<StagePlan> plans =
        plans(
            twoAggregations()
                .operator("other", TestFunctions.SUM, 2)
                .grouped("sum", "other", 2)
                .build());
    TaskBudget budget = TaskBudget.ofSlots(BYTES, SLOTS, plans);
    assertThat(bytes(budget, plans, "other")).isEqualTo(BYTES / 2 / SLOTS);
    assertThat(bytes(budget, plans, "again")).isEqualTo(BYTES / SLOTS);
  }

  private static TestDags twoAggregations() {
    return new TestDags()
        .source("read", "a=1")
        .aggregation("first", 1)
        .operator("sum", TestFunctions.SUM, 2)
        .aggregation("second", 1)
        .operator("again", TestFunctions.SUM, 2)
        .pushed("read", "first", "in", 1, 2)
        .aggregated("first", "in", "sum", 2)
        .pushed("sum", "second", "in", 1, 2)
        .aggregated("second", "in", "again", 2);
  }

  private static long bytes(TaskBudget budget, List<StagePlan> plans, String vertex) {
    StagePlan plan =
        plans.stream()
            .filter(each -> each.stage().vertices().stream().anyMatch(v -> v.id().equals(vertex)))
            .findFirst()
            .orElseThrow();
    return budget.taskBytesOf(plan) + budget.tableBytes();
  }

  private static TaskBudget budget(IRDag dag) {
    return TaskBudget.ofSlots(BYTES, SLOTS, plans(dag));
  }

  private static List<StagePlan> plans(IRDag dag) {
    return new StagePlanner(StagePartitioner.partition(dag), List.of())
        .plan(new StagePlan.Job("job", new byte[0], "file:///reports"));
  }
}
