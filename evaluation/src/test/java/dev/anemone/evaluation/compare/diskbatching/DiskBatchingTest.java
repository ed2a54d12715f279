// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.diskbatching.DiskBatching.Disk;
import dev.anemone.evaluation.lab.disk.ThrottledDisk;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a small shuffle; what it finds says nothing. */
class DiskBatchingTest {
  private static final int READS_PER_SECOND = 2_000;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void bothPoliciesAreMeasuredOnTheThrottledDiskAndOnTheDiskAsItIs() throws Exception {
    Path disk = ThrottledDisk.directory();
    Trial trial =
        Trial.of(
            directory,
            "disk-batching",
            "--bytes=100k",
            "--parallelism=4",
            "--riops=" + READS_PER_SECOND,
            "--disk=" + disk,
            "--runs=1",
            "--heap=512m",
            "--nemo-option=--slots=2");
    DiskBatching.Figures figures = trial.figures(DiskBatching.Figures.class);

    assertThat(figures.runs())
        .extracting(run -> run.policy() + " " + run.disk())
        .containsExactly(
            "Default THROTTLED", "LargeShuffle THROTTLED", "Default FREE", "LargeShuffle FREE");
    assertThat(figures.throttle().get(0).throttledReads()).isBetween(1.0, 1.25 * READS_PER_SECOND);
    assertThat(trial.out())
        .contains("100,000 bytes, 4 producers and 4 consumers", "2,000 reads per second allowed")
        .containsPattern("\\| throttled \\| +LargeShuffle \\| +1 \\|")
        .containsPattern("\\| as it is +\\| +Default \\| +1 \\|");
    assertThat(trial.err()).contains("throttled: ", "throttled, round 1, Default: ");
  }

  @Test
  @Tag("nightly")
  void withoutRootTheRuntimeWaitsAfterEverySeek() throws Exception {
    int seekMicros = 20_000;
    DiskBatching.Figures figures =
        Trial.of(
                directory,
                "disk-batching",
                "--bytes=100k",
                "--parallelism=4",
                "--seek-micros=" + seekMicros,
                "--runs=1",
                "--heap=512m",
                "--nemo-option=--slots=2")
            .figures(DiskBatching.Figures.class);
    assertThat(figures.throttle()).isEmpty();
    assertThat(figures.seekMicros()).containsExactly(seekMicros);
    assertThat(figures.runs())
        .extracting(run -> run.policy() + " " + run.disk())
        .containsExactly(
            "Default CHARGED", "LargeShuffle CHARGED", "Default FREE", "LargeShuffle FREE");
    DiskBatching.Run charged = figures.runs().get(0);
    assertThat(charged.seeks()).isGreaterThanOrEqualTo(4 * 4);
    assertThat(charged.cost().wallSeconds()).isGreaterThan(charged.seeks() * seekMicros / 1e6);
  }

  @Test
  void speedupIsThatOfTheMediansUnderTheSameCondition() {
    List<DiskBatching.Run> runs = new ArrayList<>();
    add(runs, "Default", Disk.THROTTLED, 300, 200, 210);
    add(runs, "LargeShuffle", Disk.THROTTLED, 70, 60, 90);
    add(runs, "Default", Disk.FREE, 50);
    add(runs, "LargeShuffle", Disk.FREE, 100);
    assertThat(DiskBatching.table(runs))
        .hasToString(
            """
| disk      |       policy | runs | median s |  min s |  max s | seeks | MB read | speedup |
|-----------|-------------:|-----:|---------:|-------:|-------:|------:|--------:|--------:|
| throttled |      Default |    3 |   210.00 | 200.00 | 300.00 |     7 |     2.5 |    1.00 |
| throttled | LargeShuffle |    3 |    70.00 |  60.00 |  90.00 |     7 |     2.5 |    3.00 |
| as it is  |      Default |    1 |    50.00 |  50.00 |  50.00 |     7 |     2.5 |    1.00 |
| as it is  | LargeShuffle |    1 |   100.00 | 100.00 | 100.00 |     7 |     2.5 |    0.50 |
""");
  }

  private static void add(
      List<DiskBatching.Run> runs, String policy, Disk disk, double... seconds) {
    for (int i = 0; i < seconds.length; i++) {
      runs.add(
          new DiskBatching.Run(
              policy,
              disk,
              i + 1,
              0,
              new ProcessCost(seconds[i], 1, 0, 1),
              7,
              2_500_000,
              new TreeMap<>()));
    }
  }
}
