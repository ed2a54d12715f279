// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import dev.anemone.evaluation.papers.dmo.Kind.Size;
import dev.anemone.evaluation.papers.dmo.SweepFigure.Shown;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.job.JobCost;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own programs, on less data; how long they take says nothing here. */
class DmoFiguresTest {
  private static final Memory ENOUGH = new Memory(256, 64);

  /** With such a heap a JVM does not come to the job. */
  private static final Memory TOO_LITTLE = new Memory(8, 64);

  private static final Size TINY = new Size(1, 50, 0.01, List.of(ENOUGH, TOO_LITTLE), 1);

  @TempDir private Path directory;

  private FigureTrial trial;

  @BeforeEach
  void prepare() throws Exception {
    trial = FigureTrial.in(directory);
  }

  @Test
  void everyWorkloadEndsInEveryPlaceWithEnoughMemoryOnly() throws Exception {
    for (Kind kind : Kind.values()) {
      MemorySweep sweep =
          trial
              .run()
              .once(kind, MemorySweep.class, () -> MemorySweep.measure(trial.run(), kind, TINY));
      for (Place place : Place.values()) {
        assertThat(sweep.leastMegabytes(place)).as("%s, %s", kind, place).hasValue(320);
        assertThat(sweep.median(place, TOO_LITTLE, JobCost::seconds)).isNaN();
        assertThat(sweep.traffic(place, ENOUGH, Traffic::received) > 0)
            .as("%s: %s sends to a server", kind, place)
            .isEqualTo(place.isPooled());
      }
    }
    int runs = trial.said().size();
    for (Kind kind : Kind.values()) {
      for (Shown shown : Shown.values()) {
        trial.draw(new SweepFigure(shown, kind), 2);
      }
    }
    FigureOutcome table = trial.draw(new WorkloadTable(), 3);
    assertThat(table.points()).allMatch(point -> point.values().get(1) > 0);
    assertThat(trial.said()).as("what was measured once is shown by all figures").hasSize(runs);
  }

  @Test
  void clientsShareOneServer() throws Exception {
    FigureOutcome rates =
        trial.draw(new ClientRates(Optional.of(new ClientRates.Size(List.of(1, 2), 1))), 2);
    for (FigureOutcome.Point point : rates.points()) {
      double megabytes = point.values().get(0) * point.values().get(2);
      // Records of TeraSort compress; what is shuffled of a client's MB is more than a third.
      assertThat(megabytes).isGreaterThan(Integer.parseInt(point.x()) * 0.3);
    }
  }
}
