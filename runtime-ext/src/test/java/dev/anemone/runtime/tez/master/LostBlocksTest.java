// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

/** Stages of two tasks, the first of which runs on the node that is lost. */
class LostBlocksTest {
  private static final NodeId LOST = NodeId.newInstance("lost", 1);
  private static final NodeId OTHER = NodeId.newInstance("other", 1);

  private final FakeDag dag = new FakeDag(2, false);

  private int done(int stage) {
    dag.succeed(stage, 0, LOST);
    dag.succeed(stage, 1, OTHER);
    return stage;
  }

  @Test
  void whatIsReadIsMadeAgainAndWhatThatReads() {
    int first = done(dag.stage(2));
    int second = done(dag.stage(2, first));
    dag.stage(2, second);

    assertThat(dag.lose(LOST))
        .containsExactly(FakeDag.attempt(second, 0, 0), FakeDag.attempt(first, 0, 0));
  }

  @Test
  void whatEverybodyHasReadIsNotMadeAgain() {
    int first = done(dag.stage(2));
    int second = done(dag.stage(2, first));
    dag.succeed(second, 0, OTHER);
    int third = dag.stage(2, second);

    assertThat(dag.lose(LOST)).as("on the node lies only what has been read").isEmpty();

    done(third);
    assertThat(dag.lose(LOST)).as("the result").isEmpty();
  }

  @Test
  void whatATaskReadsAloneIsMadeAgainForThatTask() {
    int read = done(dag.stage(2));
    int reader = dag.stage(2);
    dag.readOneToOne(read, reader);
    dag.succeed(reader, 0, OTHER);

    assertThat(dag.lose(LOST)).as("its reader has ended, though another runs").isEmpty();

    int unread = done(dag.stage(2));
    dag.readOneToOne(unread, dag.stage(2));
    assertThat(dag.lose(LOST)).containsExactly(FakeDag.attempt(unread, 0, 0));
  }

  @Test
  void whatWasPushedIsWhereItsReceiverIs() {
    int pushing = done(dag.stage(2));
    int receiving = dag.aggregation(2, pushing);
    dag.launch(receiving, 0, FakeDag.SUCCESS - 1);
    dag.launch(receiving, 1, FakeDag.SUCCESS - 1);

    assertThat(dag.lose(LOST)).as("the receivers run").isEmpty();

    done(receiving);
    dag.stage(2, receiving);
    assertThat(dag.lose(LOST))
        .as("the receiver's block, and what its next attempt reads in place of what was pushed")
        .containsExactly(FakeDag.attempt(receiving, 0, 0), FakeDag.attempt(pushing, 0, 0));
  }

  @Test
  void whatAReceiverThatCameLaterHasToReadIsMadeAgain() {
    int pushing = done(dag.stage(2));
    int receiving = dag.aggregation(1, pushing);
    dag.launch(receiving, 0, FakeDag.SUCCESS + 1);

    assertThat(dag.lose(LOST)).containsExactly(FakeDag.attempt(pushing, 0, 0));
  }

  @Test
  void whatAReceiverThatDoesNotRunYetWillReadIsMadeAgain() {
    int pushing = done(dag.stage(2));
    dag.aggregation(1, pushing);

    assertThat(dag.lose(LOST)).containsExactly(FakeDag.attempt(pushing, 0, 0));
  }

  @Test
  void whatLiesInAPoolIsNotMadeAgain() {
    int first = done(dag.stage(2));
    dag.keepElsewhere(first);
    dag.stage(2, first);

    assertThat(dag.lose(LOST)).isEmpty();
  }

  @Test
  void forAJobThatHasFailedNothingIsMadeAgain() {
    int first = done(dag.stage(2));
    dag.stage(2, first);
    dag.complete();

    assertThat(dag.lose(LOST)).isEmpty();
  }
}
