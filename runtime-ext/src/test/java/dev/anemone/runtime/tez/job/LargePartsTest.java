// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourceVertex;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargePartsTest {

  private static final String LARGE = "a ".repeat(500_000);

  @TempDir private Path directory;

  private JobFiles files() throws IOException {
    return JobFiles.of(directory.toUri().toString());
  }

  /** Two parts that hold a megabyte each, and a small one, a task for each. */
  private static IRDag dag() {
    return dag(LARGE, LARGE, "b");
  }

  private static IRDag dag(String... parts) {
    return new TestDags()
        .source("read", parts)
        .operator("collect", TestFunctions.COLLECT, parts.length)
        .oneToOne("read", "collect")
        .build();
  }

  private static StagePlan plan() {
    return plan(dag());
  }

  private static StagePlan plan(IRDag dag) {
    return new StagePlanner(StagePartitioner.partition(dag), List.of())
        .plan(new StagePlan.Job("job", new byte[0], ""))
        .get(0);
  }

  private static SourceVertex source(StagePlan plan) {
    return (SourceVertex) plan.stage().vertices().get(0);
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
  void whatIsLargeIsNotInThePlanOfAStage() throws IOException {
    assertThat(PlanCodec.write(LargeParts.store(plan(), files()))).hasSizeLessThan(10_000);
  }

  @Test
  void manyPartsTogetherAreNotInThePlanEither() throws IOException {
    StagePlan plan = plan(dag(texts(200, 40_000)));

    assertThat(PlanCodec.write(LargeParts.store(plan, files()))).hasSizeLessThan(1 << 20);
  }

  @Test
  void smallPartsAreNotInFilesHoweverManyThereAre() throws IOException {
    StagePlan plan = plan(dag(texts(2_000, 2_000)));

    assertThat(source(LargeParts.store(plan, files())).parts()).isEqualTo(source(plan).parts());
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aTaskGetsThePartsThatItReadsAndNoOthers() throws IOException {
    StagePlan stored = LargeParts.store(plan(), files());

    SourceVertex read = source(LargeParts.load(stored, 1, files()));

    assertThat(read.parts().get(0)).isEqualTo(source(stored).parts().get(0));
    assertThat(read.parts().subList(1, 3)).isEqualTo(source(plan()).parts().subList(1, 3));
  }

  @Test
  void thePlanOfRunTimePassesHasTheSizesOfPartsAndNotWhatTheyHold() throws IOException {
    files()
        .writeRunTimePlan(
            new RunTimePlan(dag(), List.of("pass"), 2, 1 << 20, Map.of("a", "b"), Set.of("read")));

    RunTimePlan read = files().readRunTimePlan();

    assertThat(Files.size(directory.resolve("run-time-plan"))).isLessThan(10_000);
    SourceVertex source = (SourceVertex) read.dag().vertex("read");
    assertThat(source.sizeBytes()).isEqualTo(2L * LARGE.length() + 1);
    assertThat(read.passes()).containsExactly("pass");
  }
}
