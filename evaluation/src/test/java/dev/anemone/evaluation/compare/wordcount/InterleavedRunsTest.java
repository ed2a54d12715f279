// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.peer.InterleavedRuns;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.examples.wordcount.WordCount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterleavedRunsTest {
  private static final Duration AMPLE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private Corpus corpus;

  @BeforeEach
  void generateText() throws Exception {
    corpus = Corpus.of(directory.resolve("corpus"), 20_000, 10, 1);
  }

  @Test
  void runnersTakeTurnsAndOneThatFailedHasNoFurtherRuns() throws Exception {
    List<MeasuredRun> told = new ArrayList<>();

    List<MeasuredRun> runs =
        interleaved(AMPLE)
            .run(
                counting(corpus.counts()),
                List.of(TestRunners.missing(), TestRunners.direct()),
                2,
                told::add);

    assertThat(runs)
        .extracting(run -> run.runner() + " " + run.round())
        .containsExactly("MissingRunner 1", "DirectRunner 1", "DirectRunner 2");
    assertThat(runs).extracting(MeasuredRun::succeeded).containsExactly(false, true, true);
    assertThat(runs.get(0).outcome()).contains("failed with exit code 1", "MissingRunner");
    assertThat(told).isEqualTo(runs);
    assertThat(directory.resolve("runs"))
        .isDirectoryNotContaining(Files::isDirectory)
        .isDirectoryContaining("glob:**/DirectRunner-2.log");
  }

  @Test
  void aWrongCountIsSeen() throws Exception {
    Path counts = directory.resolve("altered.counts");
    List<String> lines = new ArrayList<>(Files.readAllLines(corpus.counts()));
    lines.remove(0);
    Files.write(counts, lines);

    List<MeasuredRun> runs =
        interleaved(AMPLE).run(counting(counts), List.of(TestRunners.direct()), 1, run -> {});

    assertThat(runs)
        .singleElement()
        .extracting(MeasuredRun::outcome)
        .asString()
        .startsWith("wrong: 1 differences: ")
        .endsWith("does not occur");
  }

  @Test
  void aRunThatTakesTooLongIsKilled() throws Exception {
    Duration deadline = Duration.ofMillis(50);

    List<MeasuredRun> runs =
        interleaved(deadline)
            .run(counting(corpus.counts()), List.of(TestRunners.direct()), 3, run -> {});

    assertThat(runs).singleElement().extracting(MeasuredRun::outcome).isEqualTo("killed after 0 s");
  }

  private WordCountCommand.Counting counting(Path counts) throws Exception {
    return new WordCountCommand.Counting(corpus.text(), TrueCounts.read(counts));
  }

  private InterleavedRuns interleaved(Duration deadline) {
    return new InterleavedRuns(
        directory.resolve("runs"), WordCount.class, List.of("-Xmx512m"), deadline);
  }
}
