// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.network.ThrottledNetwork;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import dev.anemone.evaluation.papers.dmo.Kind.Size;
import dev.anemone.evaluation.papers.dmo.SweepFigure.Shown;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own programs, on less data; how long they take says nothing here. */
class DmoFiguresTest {
  private static final Memory ENOUGH = new Memory(256, 64);

  /** With such a heap a JVM does not come to the job. */
  private static final Memory TOO_LITTLE = new Memory(8, 64);

  private static final Size TINY = new Size(1, 4, 50, 0.01, List.of(ENOUGH, TOO_LITTLE), 1);

  @TempDir private Path directory;

  private FigureTrial trial;

  @BeforeEach
  void prepare() throws Exception {
    trial = FigureTrial.in(directory);
  }

  @Test
  @Tag("nightly")
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
  @Tag("nightly")
  void theMetricsOfTheClusterAreThoseOfTheWorkloads() throws Exception {
    List<ResourceUse> uses = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      uses.add(
          trial
              .run()
              .once(
                  "use of " + kind,
                  ResourceUse.class,
                  () -> ResourceUse.measure(trial.run(), kind, TINY)));
    }
    assertThat(uses)
        .allSatisfy(
            use -> {
              assertThat(use.processorShare()).isBetween(0.01, 1.0);
              assertThat(use.moments()).isNotEmpty();
              assertThat(use.inputs()).as("stages read others").isNotEmpty();
            });
    int moments = uses.stream().mapToInt(use -> use.moments().size()).max().orElseThrow();
    FigureOutcome overhead = trial.draw(new UseOverTime(UseOverTime.Shown.OVERHEAD), moments);
    FigureOutcome both = trial.draw(new UseOverTime(UseOverTime.Shown.USE), moments);
    for (int moment = 0; moment < moments; moment++) {
      List<Double> shares = both.points().get(moment).values();
      List<Double> differences = overhead.points().get(moment).values();
      for (int kind = 0; kind < uses.size(); kind++) {
        double memory = shares.get(2 * kind);
        double slots = shares.get(2 * kind + 1);
        if (moment < uses.get(kind).moments().size()) {
          assertThat(memory).isBetween(0.1, 100.0);
          assertThat(slots).isBetween(0.0, 100.0);
          assertThat(differences.get(kind)).isCloseTo(slots - memory, offset(1e-6));
        } else {
          assertThat(memory).isNaN();
        }
      }
    }
    FigureOutcome inputs =
        trial.draw(new TaskInputs(), uses.stream().mapToInt(use -> use.inputs().size()).sum());
    assertThat(inputs.points())
        .allSatisfy(
            stage -> {
              double mean = stage.values().get(1);
              assertThat(mean).isPositive();
              assertThat(stage.values().get(2)).isGreaterThanOrEqualTo(mean);
            });
  }

  @Test
  void noTransferIsFasterThanTheNetwork() throws Exception {
    try {
      ThrottledNetwork.requireAllowed();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
    double megabits = 200;
    FigureOutcome rates =
        trial.draw(
            new OneSidedRates(
                Optional.of(
                    new OneSidedRates.Size(
                        megabits, List.of(4 << 10, 256 << 10), List.of(1, 2), 300, 1))),
            2);
    assertThat(rates.columns()).hasSize(9);
    for (FigureOutcome.Point point : rates.points()) {
      assertThat(point.values())
          .allSatisfy(rate -> assertThat(rate).isPositive().isLessThan(1.1 * megabits / 8));
    }
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
