// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.workload.Side;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a text of 400 KB; what it finds says nothing. */
class SkewOverheadTest {
  private static final int BYTES = 400_000;
  private static final int PRODUCERS = 40;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void policiesCountEveryWordInTurnWithManyProducers() throws Exception {
    List<String> options = new ArrayList<>(SkewOverhead.A_TASK_FOR_EVERY_FILE);
    options.addAll(List.of("--parallelism=4", "--explain=text"));
    ComparisonPlan plan =
        new ComparisonPlan(
            directory,
            BYTES,
            PRODUCERS,
            1_000,
            1,
            SkewOverhead.runners(
                List.of(Side.of("Default", options), Side.of("LargeShuffle", options)),
                OwnProgram.classPath(),
                NemoJvm.options()),
            1,
            List.of("-Xmx512m"),
            Duration.ofMinutes(3));

    boolean correct =
        new Comparison(plan, new PrintWriter(out, true), new PrintWriter(err, true)).run();

    assertThat(correct).as(err.toString()).isTrue();
    assertThat(err.toString())
        .containsSubsequence(
            "round 1, Default: ", "s, correct", "round 1, LargeShuffle: ", "s, correct");
    assertThat(out.toString()).contains("Default's time / this");
    String log = Files.readString(directory.resolve("Default-1.log"));
    assertThat(log).containsPattern("source .* parts=40#.* \\[Parallelism=40,");
  }
}
