// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.transfer.lineage.MixedVersionsException;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineageFilesTest {

  private static final long OLD = 1;
  private static final long NEW = 2;

  @TempDir Path directory;
  private JobFiles files;

  @BeforeEach
  void create() throws IOException {
    files = filesIn(directory.resolve("job"));
  }

  private static JobFiles filesIn(Path path) throws IOException {
    LocalJobDirectory job = new LocalJobDirectory(path);
    job.create();
    return new JobFiles(job);
  }

  private static void produce(JobFiles files, int attempt, long written) throws IOException {
    TaskLineage own = new TaskLineage(Map.of("consumer", written), Map.of());
    lineages(files, "producer", 0).compareWithPrevious(attempt, own);
    report(files, "producer", 0, attempt, own);
  }

  private static TaskLineage read(long version) {
    return new TaskLineage(Map.of(), Map.of("producer", version));
  }

  private static LineageFiles lineages(JobFiles files, String stage, int task) {
    return new LineageFiles(files, files.reports(JobFiles.TaskReports::lineage), stage, task);
  }

  private static void report(
      JobFiles files, String stage, int task, int attempt, TaskLineage lineage) throws IOException {
    try (ReportLog log = files.beginReports()) {
      log.write(
          stage, task, attempt, new JobFiles.TaskReports(List.of(), Map.of(), Map.of(), lineage));
    }
  }

  private static void compare(JobFiles files, int task, long version) throws IOException {
    lineages(files, "consumer", task).compareWithOthers(read(version));
  }

  @Test
  void whoReadsAnotherVersionThanATaskThatHasEndedIsTold() throws IOException {
    produce(files, 0, OLD);
    report(files, "consumer", 0, 0, read(OLD));
    compare(files, 0, OLD);
    produce(files, 1, NEW);
    report(files, "consumer", 12, 0, read(NEW));
    assertThatThrownBy(() -> compare(files, 12, NEW))
        .isInstanceOf(MixedVersionsException.class)
        .hasMessageContaining("tasks 0 and 12 of consumer")
        .hasMessageContaining("producer");
  }

  @Test
  void whoReadsAnOldVersionLateIsToldToo() throws IOException {
    produce(files, 0, OLD);
    produce(files, 1, NEW);
    report(files, "consumer", 0, 0, read(NEW));
    compare(files, 0, NEW);
    report(files, "consumer", 1, 0, read(OLD));
    assertThatThrownBy(() -> compare(files, 1, OLD)).isInstanceOf(MixedVersionsException.class);
  }

  @Test
  void aTaskThatHasReadTheOldVersionMayReadTheNewOne() throws IOException {
    produce(files, 0, OLD);
    report(files, "consumer", 0, 0, read(OLD));
    produce(files, 1, NEW);
    report(files, "consumer", 0, 1, read(NEW));
    report(files, "consumer", 1, 0, read(NEW));
    compare(files, 1, NEW);
  }

  @Test
  void aStageWhoseNameBeginsLikeAnotherIsNotItsOwn() throws IOException {
    produce(files, 0, OLD);
    report(files, "consumer-1", 0, 0, read(OLD));
    produce(files, 1, NEW);
    report(files, "consumer", 1, 0, read(NEW));
    compare(files, 1, NEW);
    assertThat(files.reports(JobFiles.TaskReports::lineage).read("consumer-1", 0))
        .contains(read(OLD));
  }

  @Test
  void whatIsMadeAgainAsItWasNeedsNoLook() throws IOException {
    produce(files, 0, OLD);
    produce(files, 1, OLD);
    assertThat(files.isRewritten("producer")).isFalse();
    produce(files, 2, NEW);
    assertThat(files.isRewritten("producer")).isTrue();
  }

  /** Each step of the protocol, in an order that keeps the steps of each task in theirs. */
  @Provide
  Arbitrary<List<Integer>> interleavings() {
    return Arbitraries.shuffle(0, 0, 1, 1, 2, 2);
  }

  @Property
  void whateverTheOrderOneOfTwoIsTold(@ForAll("interleavings") List<Integer> order)
      throws IOException {
    Path parent = Files.createTempDirectory("lineage");
    JobFiles job = filesIn(parent.resolve("job"));
    try {
      produce(job, 0, OLD);
      int told = 0;
      int[] steps = new int[3];
      // The reader of the new version, task 1, begins when that has been announced.
      for (int actor : inOrder(order)) {
        int step = steps[actor]++;
        if (actor == 2) {
          if (step == 0) {
            produce(job, 1, NEW);
          }
        } else if (step == 0) {
          report(job, "consumer", actor, 0, read(actor == 0 ? OLD : NEW));
        } else {
          told += isTold(job, actor) ? 1 : 0;
        }
      }
      assertThat(told).isPositive();
    } finally {
      job.delete();
      Files.delete(parent);
    }
  }

  /** The producer's steps come before those of task 1. */
  private static List<Integer> inOrder(List<Integer> order) {
    List<Integer> sorted = new ArrayList<>(order);
    List<Integer> places =
        IntStream.range(0, order.size()).filter(i -> order.get(i) != 0).boxed().toList();
    for (int i = 0; i < places.size(); i++) {
      sorted.set(places.get(i), i < 2 ? 2 : 1);
    }
    return sorted;
  }

  private static boolean isTold(JobFiles job, int task) throws IOException {
    try {
      compare(job, task, task == 0 ? OLD : NEW);
      return false;
    } catch (MixedVersionsException e) {
      return true;
    }
  }
}
