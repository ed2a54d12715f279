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
    return new TestDags()
        .source("read", LARGE, LARGE, "b")
        .operator("collect", TestFunctions.COLLECT, 3)
        .oneToOne("read", "collect")
        .build();
  }

  private static StagePlan plan() {
    return new StagePlanner(StagePartitioner.partition(dag()), List.of())
        .plan(new StagePlan.Job("job", new byte[0], ""))
        .get(0);
  }

  private static SourceVertex source(StagePlan plan) {
    return (SourceVertex) plan.stage().vertices().get(0);
  }

  @Test
  void whatIsLargeIsNotInThePlanOfAStage() throws IOException {
    assertThat(PlanCodec.write(LargeParts.store(plan(), files()))).hasSizeLessThan(10_000);
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
