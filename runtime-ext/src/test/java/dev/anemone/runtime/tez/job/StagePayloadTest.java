// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.LinkRanges;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.TaskPlan;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagePayloadTest {

  @TempDir private Path root;
  private Path directory;

  @BeforeEach
  void create() throws IOException {
    directory = root.resolve("job");
    new LocalJobDirectory(directory).create();
  }

  private JobFiles files() throws IOException {
    return JobFiles.of(directory.toUri().toString());
  }

  /** Parts with a task for each, and as many tasks behind a shuffle. */
  private static IRDag dag(String... parts) {
    return new TestDags()
        .source("read", parts)
        .operator("sum", TestFunctions.SUM, parts.length)
        .grouped("read", "sum", parts.length)
        .build();
  }

  private List<StagePlan> plans(IRDag dag) {
    return new StagePlanner(StagePartitioner.partition(dag), List.of())
        .plan(new StagePlan.Job("job", new byte[0], directory.toUri().toString()));
  }

  private static List<String> partsOf(StagePlan plan, int task) {
    SourceVertex source = (SourceVertex) plan.stage().vertices().get(0);
    return source.partsOfTask(task).stream()
        .map(part -> source.parts().get(part))
        .map(SourcePart::spec)
        .map(TestFunctions::text)
        .toList();
  }

  /** Different texts that cannot be compressed much. */
  private static String[] texts(int number, int length) {
    SplittableRandom random = new SplittableRandom(1);
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                random
                    .ints(length, 'a', 'z' + 1)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining()))
        .toArray(String[]::new);
  }

  @Test
  void aTaskGetsItsOwnPartsAndRanges() throws Exception {
    List<StagePlan> plans = plans(dag("a", "b", "c"));
    StagePayload read = StagePayload.store(plans.get(0), files());
    StagePayload sum = StagePayload.store(plans.get(1), files());
    try (SharedObjects objects = new SharedObjects("job")) {
      for (int task = 0; task < 3; task++) {
        assertThat(partsOf(read.load(objects, task), task))
            .containsExactly(List.of("a", "b", "c").get(task));
        StagePlan ofTask = sum.load(objects, task);
        assertThat(ofTask.inputs().get(0).perTask().get(task))
            .isEqualTo(plans.get(1).inputs().get(0).perTask().get(task));
        assertThat(ofTask)
            .usingRecursiveComparison()
            .ignoringFields("inputs")
            .isEqualTo(TaskPlan.common(plans.get(1)));
      }
    }
  }

  @Test
  void aTaskMayReadSeveralPartsOrNone() throws Exception {
    IRDag dag =
        new TestDags()
            .source("read", "a", "b", "c")
            .build()
            .apply(new SetVertexProperty("read", new Parallelism(2)))
            .apply(
                new SetVertexProperty(
                    "read", new SplitAssignment(List.of(List.of(), List.of(2, 0, 1)))));
    StagePayload payload = StagePayload.store(plans(dag).get(0), files());
    try (SharedObjects objects = new SharedObjects("job")) {
      assertThat(partsOf(payload.load(objects, 0), 0)).isEmpty();
      assertThat(partsOf(payload.load(objects, 1), 1)).containsExactly("c", "a", "b");
    }
  }

  @Test
  void whatIsSmallIsReadOncePerJvm() throws Exception {
    StagePayload payload = StagePayload.store(plans(dag("a", "b", "c")).get(0), files());
    try (SharedObjects objects = new SharedObjects("job")) {
      payload.load(objects, 2);
      Files.delete(directory.resolve("plan-stage0"));
      assertThat(partsOf(payload.load(objects, 1), 1)).containsExactly("b");
    }
  }

  @Test
  void whatIsLargeIsReadTaskByTask() throws Exception {
    String[] parts = texts(100, 40_000);
    StagePayload payload = StagePayload.store(plans(dag(parts)).get(0), files());
    assertThat(payload.plan().footerBytes()).isLessThan(100_000);
    try (SharedObjects objects = new SharedObjects("job")) {
      for (int task : new int[] {99, 0, 57}) {
        assertThat(partsOf(payload.load(objects, task), task)).containsExactly(parts[task]);
      }
    }
  }

  @Test
  void whatIsCommonDoesNotGrowWithTheTasks() {
    String[] few = new String[10];
    String[] many = new String[10_000];
    Arrays.fill(few, "hdfs://name-node/warehouse/lineitem");
    Arrays.fill(many, "hdfs://name-node/warehouse/lineitem");
    for (int stage = 0; stage < 2; stage++) {
      int size = PlanCodec.write(TaskPlan.common(plans(dag(few)).get(stage))).length;
      assertThat(PlanCodec.write(TaskPlan.common(plans(dag(many)).get(stage))))
          .hasSizeLessThan(size + 10);
    }
  }

  @Test
  void thePlanOfAStageOfManyTasksIsCompact() throws IOException {
    String[] parts =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "hdfs://name-node:8020/warehouse/lineitem/part-" + i + ".parquet")
            .toArray(String[]::new);
    StagePayload.store(plans(dag(parts)).get(0), files());
    assertThat(Files.size(directory.resolve("plan-stage0"))).isLessThan(300_000);
  }

  @Test
  void drawnRangesComeToEachTask() throws Exception {
    IRDag dag = dag("a", "b", "c");
    DrawnRanges drawn =
        DrawnRanges.store(dag.edge("e0").property(PartitionSet.class).orElseThrow(), files());
    try (SharedObjects objects = new SharedObjects("job")) {
      for (int task = 0; task < 3; task++) {
        assertThat(drawn.load(objects, files(), task))
            .isEqualTo(new LinkRanges(List.of(new HashRange(task, task + 1)), List.of()));
      }
    }
  }

  @Test
  void thePlanOfRunTimePassesHasTheSizesOfPartsAndNotWhatTheyHold() throws IOException {
    String large = "a ".repeat(500_000);
    files()
        .writeRunTimePlan(
            new RunTimePlan(
                dag(large, large, "b"),
                List.of("pass"),
                2,
                1 << 20,
                Map.of("a", "b"),
                Set.of("read")));

    RunTimePlan read = files().readRunTimePlan();

    assertThat(new LocalJobDirectory(directory).read("run-time-plan").length).isLessThan(10_000);
    SourceVertex source = (SourceVertex) read.dag().vertex("read");
    assertThat(source.sizeBytes()).isEqualTo(2L * large.length() + 1);
    assertThat(read.passes()).containsExactly("pass");
  }
}
