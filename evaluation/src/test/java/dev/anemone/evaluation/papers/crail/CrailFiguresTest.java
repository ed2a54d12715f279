// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.job.GroupByWorkload;
import dev.anemone.evaluation.papers.job.JobRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own programs, on less data; how long they take says nothing here. */
class CrailFiguresTest {
  @TempDir private Path directory;

  private FigureTrial trial;

  @BeforeEach
  void prepare() throws Exception {
    trial = FigureTrial.in(directory);
  }

  @Test
  @Tag("nightly")
  void sortsAreRightInEveryStoreAndInC() throws Exception {
    List<Path> before = inMemory();
    SortJobs sorts =
        trial
            .run()
            .once(SortJobs.class, () -> SortJobs.measure(trial.run(), new SortJobs.Size(1, 1)));
    assertThat(sorts.jobs().sides()).hasSize(5).allMatch(side -> sorts.seconds(side) > 0);

    FigureOutcome rates = trial.draw(new SortRates());
    assertThat(rates.columns()).contains("sort in C: GB per minute and core");
    trial.draw(new StoredSort(StoredSort.Shown.TIERS));
    trial.draw(new StoredSort(StoredSort.Shown.APART));
    assertThat(trial.said()).as("what was measured once is shown by all figures").hasSize(5);
    assertThat(inMemory()).isEqualTo(before);
  }

  private static List<Path> inMemory() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("anemone-evaluation-"))
          .sorted()
          .toList();
    }
  }

  @Test
  @Tag("nightly")
  void whatGoesOverTheNetworkIsAllThatIsSorted() throws Exception {
    FigureOutcome network = trial.draw(new NetworkUse(Optional.of(3)));
    double before = 0;
    double received = 0;
    for (Point point : network.points()) {
      double second = Double.parseDouble(point.x());
      received += point.values().get(0) * (second - before);
      before = second;
    }
    // Records of TeraSort compress; what is shuffled of a MB is more than a third.
    assertThat(received).isGreaterThan(1);
  }

  @Test
  @Tag("nightly")
  void groupBysAndJoinsAreRightInFilesAndInAPool() throws Exception {
    FigureOutcome groupBys =
        trial.draw(new GroupByTimes(Optional.of(new GroupByTimes.Size(1, List.of(2), 1))));
    assertThat(groupBys.points()).extracting(Point::x).containsExactly("2");

    FigureOutcome join = trial.draw(new JoinTimes(Optional.of(new JoinTimes.Size(2, 1))));
    for (String store : List.of("files", "pool")) {
      int shuffled = join.columns().indexOf(store + ": shuffled, MB") - 1;
      assertThat(join.points().get(0).values().get(shuffled)).as(store).isGreaterThan(1);
    }
  }

  @Test
  @Tag("nightly")
  void everyTaskReadsTheBroadcast() throws Exception {
    FigureOutcome broadcast =
        trial.draw(new BroadcastTimes(Optional.of(new BroadcastTimes.Size(20, 1))));
    assertThat(broadcast.points())
        .allSatisfy(point -> assertThat(point.values()).allMatch(microseconds -> microseconds > 0));
    for (int store : List.of(0, 1)) {
      assertThat(broadcast.points().stream().map(point -> point.values().get(store)).toList())
          .isSorted();
    }
  }

  @Test
  void aJobThatFailsEndsTheFigure() throws Exception {
    Path passing = trial.run().directory();
    GroupByWorkload wrong =
        GroupByWorkload.of(1, 1, passing.resolve("report"), "--optimizationPolicy=None");
    JobRuns lab = new JobRuns(trial.run(), passing, Duration.ofMinutes(2));
    assertThatThrownBy(() -> Store.POOL_ON_DISK.run(lab, wrong))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("pool on disk")
        .hasMessageContaining("pool-on-disk.log");
  }
}
