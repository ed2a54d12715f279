// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static dev.anemone.passes.Plans.MB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParallelismPassTest {

  private static final KeyExtractor ONE_KEY =
      new KeyExtractor(FunctionSpec.of("test:no-key"), true);

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "ParallelismPass", Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new ParallelismPass()));
  }

  @ParameterizedTest(name = "{0} parts of {1} MB on {2} slots: {3} source tasks, {4} shuffle tasks")
  @CsvSource({
    // A second task does not pay below twice the minimum.
    "8, 0.5, 2, 1, 1",
    "8, 0.9, 2, 1, 1",
    "8, 1, 2, 2, 2",
    // Enough for all slots, but not more than the data is worth.
    "64, 1, 8, 8, 8",
    "64, 0.5, 16, 8, 8",
    // Never more tasks than parts on the source side.
    "2, 500, 8, 2, 16",
    // 1300 MB at 128 MB a task are 11 tasks, which become whole rounds of 4 slots.
    "100, 13, 4, 12, 8",
    "15, 128, 4, 15, 8",
    // Two tasks a slot, until a task would read more than 512 MB.
    "1000, 16, 16, 128, 32",
    "1000, 1000, 16, 1000, 1968",
    // Unknown sizes: one task for each part up to the slots.
    "1, 0, 4, 1, 1",
    "3, 0, 4, 3, 3",
    "9, 0, 4, 4, 4",
  })
  void tasksFollowSizeAndSlots(
      int parts, double partMb, int slots, int sourceTasks, int shuffleTasks) {
    IRDag dag =
        Plans.lastStep(
                Plans.wordCount((long) (partMb * MB), parts),
                PassContext.of(slots, MB, Map.of()),
                new ParallelismPass())
            .after();
    assertThat(tasks(dag, "lines")).isEqualTo(sourceTasks);
    assertThat(tasks(dag, "words")).isEqualTo(sourceTasks);
    assertThat(tasks(dag, "count")).isEqualTo(shuffleTasks);
    assertThat(tasks(dag, "write")).isEqualTo(shuffleTasks);
  }

  @Test
  void theOptionFixesTheTasksOfShuffleConsumersOnly() {
    IRDag dag = annotated(Plans.wordCount(), Plans.CONTEXT.withOption("parallelism", "7"));
    assertThat(tasks(dag, "count")).isEqualTo(7);
    assertThat(tasks(dag, "write")).isEqualTo(7);
    assertThat(tasks(dag, "lines")).isEqualTo(2);
  }

  /** Also where the option asks for more: seven of eight tasks would have nothing to read. */
  @Test
  void aShuffleOfOneKeyHasOneTask() {
    IRDag program =
        Plans.wordCount(64 * MB, 8).toBuilder()
            .add(Plans.operator("total"))
            .add(Plans.groupByKey("totals", "count", "total").with(ONE_KEY))
            .build();

    IRDag dag = annotated(program, Plans.CONTEXT.withOption("parallelism", "7"));

    assertThat(tasks(dag, "total")).isEqualTo(1);
    assertThat(tasks(dag, "count")).isEqualTo(7);
  }

  @Test
  void aStageThatReadsAShuffleOfMoreKeysBesideHasTasksForThat() {
    IRDag program =
        Plans.wordCount(64 * MB, 8).toBuilder()
            .add(Plans.groupByKey("totals", "words", "count").with(ONE_KEY))
            .build();

    assertThat(tasks(annotated(program, Plans.CONTEXT.withOption("parallelism", "7")), "count"))
        .isEqualTo(7);
  }

  @Test
  void theMaximumHoldsForAllStages() {
    IRDag dag =
        annotated(Plans.wordCount(64 * MB, 8), Plans.CONTEXT.withOption("maxParallelism", "3"));
    assertThat(tasks(dag, "lines")).isEqualTo(3);
    assertThat(tasks(dag, "count")).isEqualTo(3);
  }

  @Test
  void aGivenNumberIsKeptAndTheGroupFollows() {
    IRDag given = Plans.wordCount().apply(new SetVertexProperty("words", new Parallelism(5)));
    IRDag dag = annotated(given, Plans.CONTEXT);
    assertThat(tasks(dag, "lines")).isEqualTo(5);
    assertThat(tasks(dag, "words")).isEqualTo(5);
    assertThat(splits(dag, "lines")).hasSize(5);
  }

  @Test
  void contradictingNumbersAreAnErrorThatNamesBothVertices() {
    IRDag given =
        IRDag.builder()
            .add(Plans.sourceOf("lines", MB, MB))
            .add(Plans.operator("a"))
            .add(Plans.operator("b"))
            .add(Plans.operator("both"))
            .add(Plans.oneToOne("e1", "lines", "a"))
            .add(Plans.oneToOne("e2", "lines", "b"))
            .add(Plans.oneToOne("e3", "a", "both"))
            .add(Plans.oneToOne("e4", "b", "both"))
            .build()
            .apply(new SetVertexProperty("a", new Parallelism(2)))
            .apply(new SetVertexProperty("b", new Parallelism(3)));
    assertThatThrownBy(() -> annotated(given, Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Parallelism")
        .hasMessageContaining("vertices a and b")
        .hasMessageContaining("2 and 3");
  }

  @Test
  void aSmallSourceSharesTheStageOfALargeOne() {
    IRDag dag =
        annotated(
            IRDag.builder()
                .add(Plans.source("large", 128 * MB, 4))
                .add(Plans.source("small", MB, 1))
                .add(Plans.operator("union"))
                .add(Plans.oneToOne("e1", "large", "union"))
                .add(Plans.oneToOne("e2", "small", "union"))
                .build(),
            PassContext.of(4, MB, Map.of()));
    assertThat(tasks(dag, "union")).isEqualTo(5);
    assertThat(splits(dag, "large"))
        .containsExactly(List.of(0), List.of(1), List.of(2), List.of(3), List.of());
    assertThat(splits(dag, "small"))
        .containsExactly(List.of(), List.of(), List.of(), List.of(), List.of(0));
  }

  @Test
  void manySourcesOfOnePartEachAreReadInParallel() {
    IRDag.Builder builder = IRDag.builder().add(Plans.operator("union"));
    for (int i = 0; i < 4; i++) {
      builder.add(Plans.source("s" + i, 64 * MB, 1)).add(Plans.oneToOne("e" + i, "s" + i, "union"));
    }
    IRDag dag = annotated(builder.build(), PassContext.of(4, MB, Map.of()));
    assertThat(tasks(dag, "union")).isEqualTo(4);
    assertThat(splits(dag, "s0")).containsExactly(List.of(0), List.of(), List.of(), List.of());
    assertThat(splits(dag, "s3")).containsExactly(List.of(), List.of(), List.of(), List.of(0));
  }

  @Test
  void aGroupThatIsFedByAShuffleAndASourceTakesTheLargerNumber() {
    IRDag dag =
        annotated(
            IRDag.builder()
                .add(Plans.source("lines", 64 * MB, 16))
                .add(Plans.source("more", MB, 1))
                .add(Plans.operator("count"))
                .add(Plans.operator("union"))
                .add(Plans.groupByKey("e1", "lines", "count"))
                .add(Plans.oneToOne("e2", "count", "union"))
                .add(Plans.oneToOne("e3", "more", "union"))
                .build(),
            Plans.CONTEXT);
    assertThat(tasks(dag, "union")).isEqualTo(4);
    assertThat(tasks(dag, "count")).isEqualTo(4);
    assertThat(splits(dag, "more")).containsExactly(List.of(0), List.of(), List.of(), List.of());
  }

  /** Without it, each iteration would have other partitions than the one before. */
  @Test
  void stagesThatReadTheSameByKeyGetOneNumber() {
    IRDag iterations =
        IRDag.builder()
            .add(Plans.source("links", 8 * MB, 1))
            .add(Plans.operator("ranks-1"))
            .add(Plans.operator("ranks-2"))
            .add(Plans.operator("ranks-3"))
            .add(Plans.operator("write"))
            .add(Plans.groupByKey("e1", "links", "ranks-1"))
            .add(Plans.groupByKey("e2", "links", "ranks-2"))
            .add(Plans.groupByKey("e3", "ranks-1", "ranks-2"))
            .add(Plans.groupByKey("e4", "links", "ranks-3"))
            .add(Plans.groupByKey("e5", "ranks-2", "ranks-3"))
            .add(Plans.reshuffle("e6", "links", "write"))
            .build();
    PassContext context = PassContext.of(8, MB, Map.of());

    IRDag dag = annotated(iterations, context);
    assertThat(tasks(dag, "ranks-3")).isEqualTo(6);
    assertThat(tasks(dag, "ranks-2")).isEqualTo(6);
    assertThat(tasks(dag, "ranks-1")).isEqualTo(6);
    assertThat(tasks(dag, "write")).isEqualTo(2);

    IRDag given =
        annotated(iterations.apply(new SetVertexProperty("ranks-3", new Parallelism(3))), context);
    assertThat(tasks(given, "ranks-3")).isEqualTo(3);
    assertThat(tasks(given, "ranks-2")).isEqualTo(4);
    assertThat(tasks(given, "ranks-1")).isEqualTo(4);
  }

  @Test
  void workOfUnknownSizeIsForAllSlots() {
    IRDag dag =
        annotated(
            IRDag.builder()
                .add(Plans.source("names", 1, 1))
                .add(Plans.operator("split").withTraits(Set.of(OperatorTrait.DIVIDES_WORK)))
                .add(Plans.operator("read"))
                .add(Plans.oneToOne("e1", "names", "split"))
                .add(Plans.groupByKey("e2", "split", "read"))
                .build(),
            Plans.CONTEXT);
    assertThat(tasks(dag, "split")).isEqualTo(1);
    assertThat(tasks(dag, "read")).isEqualTo(Plans.CONTEXT.slots());
  }

  @Test
  void aShuffleThatIsThereToSpreadWorkIsForAllSlots() {
    IRDag dag =
        annotated(
            IRDag.builder()
                .add(Plans.source("names", 1, 1))
                .add(Plans.operator("spread").withTraits(Set.of(OperatorTrait.DIVIDES_WORK)))
                .add(Plans.operator("count"))
                .add(Plans.reshuffle("e1", "names", "spread"))
                .add(Plans.groupByKey("e2", "names", "count"))
                .build(),
            Plans.CONTEXT);
    assertThat(tasks(dag, "spread")).isEqualTo(Plans.CONTEXT.slots());
    assertThat(tasks(dag, "count")).isEqualTo(1);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = annotated(Plans.wordCount(), Plans.CONTEXT);
    assertThat(new ParallelismPass().apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static IRDag annotated(IRDag dag, PassContext context) {
    return Plans.lastStep(dag, context, new ParallelismPass()).after();
  }

  private static int tasks(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(Parallelism.class).orElseThrow().tasks();
  }

  private static List<List<Integer>> splits(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(SplitAssignment.class).orElseThrow().perTask();
  }
}
