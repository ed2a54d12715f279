// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.api.Test;

/** A stage of one task, and one that reads from it. */
class LostNodesTest {
  private static final NodeId NODE = NodeId.newInstance("node", 1);

  private final FakeDag dag = new FakeDag(2, false);
  private final int read = dag.stage(1);
  private final LostNodes nodes = new LostNodes();

  LostNodesTest() {
    dag.stage(1, read);
  }

  @Test
  void whatSucceededThereBeforeIsMadeAgainAtOnce() {
    dag.succeed(read, 0, NODE);
    nodes.update(NODE, NodeState.LOST, Optional.of(dag.dag()));

    assertThat(dag.failedWithNode()).containsExactly(FakeDag.attempt(read, 0, 0));
  }

  @Test
  void whatIsRecoveredAfterwardsIsMadeAgainOnce() {
    nodes.update(NODE, NodeState.LOST, Optional.empty());
    dag.succeed(read, 0, NODE);
    nodes.succeeded(dag.successfulAttempt(read, 0));
    nodes.makeAgain(dag.dag());
    nodes.makeAgain(dag.dag());

    assertThat(dag.failedWithNode()).containsExactly(FakeDag.attempt(read, 0, 0));
  }

  @Test
  void anAttemptOfWhichItsTaskDoesNotKnowYetIsLookedAtAgain() {
    FakeDag recovering = new FakeDag(2, false);
    int stage = recovering.stage(1);
    recovering.stage(1, stage);
    recovering.place(stage, 0, NODE);
    nodes.update(NODE, NodeState.SHUTDOWN, Optional.of(recovering.dag()));
    nodes.succeeded(recovering.successfulAttempt(stage, 0));
    nodes.makeAgain(recovering.dag());
    assertThat(recovering.failedWithNode()).isEmpty();

    recovering.recover(stage, 0);
    nodes.makeAgain(recovering.dag());
    assertThat(recovering.failedWithNode()).containsExactly(FakeDag.attempt(stage, 0, 0));
  }

  @Test
  void aNodeThatIsBackHasItsNewBlocks() {
    nodes.update(NODE, NodeState.LOST, Optional.of(dag.dag()));
    nodes.update(NODE, NodeState.RUNNING, Optional.of(dag.dag()));
    dag.succeed(read, 0, NODE);
    nodes.succeeded(dag.successfulAttempt(read, 0));
    nodes.makeAgain(dag.dag());

    assertThat(dag.failedWithNode()).isEmpty();
  }

  @Test
  void aNodeThatIsOnlyUnhealthyServesItsBlocks() {
    dag.succeed(read, 0, NODE);
    nodes.update(NODE, NodeState.UNHEALTHY, Optional.of(dag.dag()));
    nodes.succeeded(dag.successfulAttempt(read, 0));
    nodes.makeAgain(dag.dag());

    assertThat(dag.failedWithNode()).isEmpty();
  }
}
