// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.dag.records.TaskAttemptIdentifierImpl;
import org.apache.tez.dag.records.TezDAGID;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;
import org.junit.jupiter.api.Test;

class AnnouncementGathererTest {

  private final AnnouncementGatherer gatherer = new AnnouncementGatherer();

  private static TaskAttemptIdentifier attempt(int task, int number) {
    TezVertexID vertex =
        TezVertexID.getInstance(TezDAGID.getInstance(ApplicationId.newInstance(1, 1), 1), 0);
    return new TaskAttemptIdentifierImpl(
        "job", "read", TezTaskAttemptID.getInstance(TezTaskID.getInstance(vertex, task), number));
  }

  private void announced(int task, int number) {
    gatherer.add(attempt(task, number), new byte[] {(byte) task, (byte) number});
  }

  @Test
  void whatIsAnnouncedAndSaidToHaveSucceededCountsInEitherOrder() {
    announced(0, 0);
    gatherer.completed(attempt(1, 0));
    assertThat(gatherer.isComplete("read", 2)).isFalse();
    gatherer.completed(attempt(0, 0));
    assertThat(gatherer.isComplete("read", 2)).isFalse();
    announced(1, 0);
    assertThat(gatherer.isComplete("read", 2)).isTrue();
    assertThat(gatherer.take("read"))
        .extracting(GatheredAnnouncements.Entry::task)
        .containsExactly(0, 1);
    assertThat(gatherer.isComplete("read", 2)).as("what was taken").isTrue();
  }

  @Test
  void ofATaskTheAttemptIsToldThatHasSucceeded() {
    announced(0, 1); // is lost before Tez hears that it has succeeded
    announced(0, 0);
    gatherer.completed(attempt(0, 0));
    assertThat(gatherer.isComplete("read", 1)).isTrue();
    assertThat(gatherer.take("read"))
        .extracting(GatheredAnnouncements.Entry::attempt)
        .containsExactly(0);
  }

  /** Of two that run at a time, what the slower one has announced may come when it is killed. */
  @Test
  void whatAnAttemptAnnouncesThatHasNotSucceededChangesNothing() {
    announced(0, 1);
    gatherer.completed(attempt(0, 1));
    announced(0, 0);
    assertThat(gatherer.isComplete("read", 1)).isTrue();
    assertThat(gatherer.take("read"))
        .extracting(GatheredAnnouncements.Entry::attempt)
        .containsExactly(1);
  }

  @Test
  void anAttemptThatRunsAgainIsAwaited() {
    announced(0, 0);
    gatherer.completed(attempt(0, 0));
    gatherer.completed(attempt(0, 1));
    assertThat(gatherer.isComplete("read", 1)).isFalse();
    announced(0, 1);
    assertThat(gatherer.take("read"))
        .extracting(GatheredAnnouncements.Entry::attempt)
        .containsExactly(1);
  }

  @Test
  void anotherStageSaysNothingOfThisOne() {
    announced(0, 0);
    gatherer.completed(attempt(0, 0));
    assertThat(gatherer.isComplete("other", 1)).isFalse();
  }
}
