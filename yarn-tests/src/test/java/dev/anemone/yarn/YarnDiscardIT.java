// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.beam.sdk.PipelineResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What all consumers have read goes from the nodes while the job runs: stage0, stage1, stage2. */
@Tag("nightly")
class YarnDiscardIT {

  private static final Pattern FIRST = Pattern.compile("attempt_\\d+_\\d+_\\d+_00_");
  private static final Pattern SECOND = Pattern.compile("attempt_\\d+_\\d+_\\d+_01_");
  private static final Duration LIMIT = Duration.ofMinutes(2);
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

  /** By whichever container is on the node, and made again when what was made of it is lost. */
  @Test
  void whatWasReadIsDeletedOnAllNodesAndMadeAgainForALostOne() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage2$").times(Integer.MAX_VALUE));
    NewBlocks first = NewBlocks.since(cluster, FIRST);
    NewBlocks second = NewBlocks.since(cluster, SECOND);
    NemoPipelineOptions options = cluster.options("discard", "Default");
    List<String> passOptions = new ArrayList<>(options.getPassOptions());
    passOptions.add("keptShuffles=0");
    options.setPassOptions(passOptions);
    options.setFetchPatienceSeconds(2);
    options.setFetchPenaltySeconds(2);

    current = RandomKeysCount.pipeline(options, cluster.input(), cluster.output("discard")).run();
    cluster.faults().awaitStrike();
    assertThat(second.count()).isPositive();
    Waiting.until(
        () -> first.count() == 0, LIMIT, () -> "blocks that have been read are still there");

    cluster.cluster().stopNode(second.nodeWithLast(cluster.nodeOfMaster()));
    cluster.faults().release();

    assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult("discard")).isEqualTo(cluster.trueCounts());
  }
}
