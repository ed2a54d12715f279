// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.RankedGraph;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own programs, on less data; how long they take says nothing here. */
class NetSparkFiguresTest {

  @TempDir private Path directory;

  private FigureTrial trial;

  @BeforeEach
  void prepare() throws Exception {
    trial = FigureTrial.in(directory);
  }

  @Test
  @Tag("nightly")
  void groupBysGoOverTheirWayOnly() throws Exception {
    GroupByJobs groupBys =
        trial
            .run()
            .once(
                GroupByJobs.class,
                () -> GroupByJobs.measure(trial.run(), new GroupByJobs.Size(List.of(1, 2), 1)));
    ShuffledJobs jobs = groupBys.jobs();
    assertThat(jobs.ways()).contains(Way.FILES, Way.NETTY, Way.TCP);
    assertThat(jobs.x()).containsExactly("1", "2");

    for (Way way : jobs.ways()) {
      double pushed = jobs.median(way, "2", JobCost::pushedBytes);
      double read = jobs.median(way, "2", JobCost::transportBytes);
      if (way == Way.FILES) {
        assertThat(pushed).isZero();
      } else {
        // Values do not compress. On a busy machine some of it falls back to files, or all.
        assertThat(pushed + jobs.median(way, "2", JobCost::fallenBackBytes))
            .as(way.title())
            .isGreaterThan(1.8e6);
        assertThat(read).as(way.title()).isEqualTo(way == Way.NETTY ? 0 : pushed);
      }
      assertThat(jobs.median(way, "2", JobCost::cpuSeconds)).isPositive();
    }

    int runs = trial.said().size();
    trial.draw(new GroupByTimes(), 2);
    trial.draw(new BlockedTimes(), 2);
    assertThat(trial.said()).as("what was measured once is shown by both figures").hasSize(runs);
  }

  @Test
  void everyWayRanksTheGraph() throws Exception {
    trial
        .run()
        .once(
            PageRankTimes.Ranks.class,
            () -> PageRankTimes.measure(trial.run(), new RankedGraph(50, 2), 1));
    FigureOutcome outcome = trial.draw(new PageRankTimes(), 1);
    assertThat(outcome.claims())
        .anySatisfy(claim -> assertThat(claim.paper()).isEqualTo("10 % faster than naive RDMA"));
  }
}
