// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.beam.sdk.PipelineResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node with blocks whose producers would make them otherwise is lost when all of their readers
 * but one have ended: no element is there twice, and none is missing.
 */
class YarnRandomKeysIT {

  /** How often each job loses a node; a system property says how often it is done by hand. */
  private static final int ROUNDS = Integer.getInteger("anemone.randomkeys.rounds", 1);

  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  private static TestCluster cluster;
  private PipelineResult current;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    cluster.faults().disarm();
    if (current != null && !current.getState().isTerminal()) {
      current.cancel();
    }
    cluster.startNodes();
  }

  @Test
  void everyElementIsThereOnce() throws Exception {
    assertEveryElementIsThereOnce("LargeShuffle", 1, 2);
  }

  @Test
  @Tag("nightly")
  void everyElementIsThereOnceWhereProducersAreReadThemselves() throws Exception {
    assertEveryElementIsThereOnce("Default", 0, 1);
  }

  /**
   * Loses the blocks.
   *
   * @param lost number of the stage that writes them
   * @param readers number of the stage that reads them
   */
  private void assertEveryElementIsThereOnce(String policy, int lost, int readers)
      throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String job = "random-" + policy + "-" + round;
      cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage" + readers + "$"));
      NewBlocks blocks =
          NewBlocks.since(cluster, Pattern.compile("attempt_\\d+_\\d+_\\d+_0" + lost + "_"));
      NemoPipelineOptions options = cluster.options(job, policy);
      options.setFetchPatienceSeconds(2);
      options.setFetchPenaltySeconds(2);
      current = RandomKeysCount.pipeline(options, cluster.input(), cluster.output(job)).run();
      cluster.faults().awaitStrike();
      Waiting.until(
          () -> cluster.reports("stage" + readers) == TestCluster.NODES - 1,
          LIMIT,
          () -> "not all of the other readers have ended");

      // What becomes of a job without its master is for other tests.
      cluster.cluster().stopNode(blocks.nodeWithLast(cluster.nodeOfMaster()));
      cluster.faults().release();

      assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
      assertThat(cluster.takeResult(job)).as("round " + round).isEqualTo(cluster.trueCounts());
      cluster.startNodes();
    }
  }
}
