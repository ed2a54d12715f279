// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.junit.jupiter.api.Test;

/** On a cluster, with a graph of stages of which each reads from the one before it. */
class SlotSchedulerTest {

  /** The last stage. */
  private static final int AGGREGATION = 4;

  private final FakeDag dag = new FakeDag(3, false);
  private final List<TezTaskAttemptID> started = dag.started();

  /** Of three tasks each, of which the last has succeeded before. */
  SlotSchedulerTest() {
    for (int stage = 0; stage <= AGGREGATION; stage++) {
      int[] inputs = stage == 0 ? new int[0] : new int[] {stage - 1};
      if (stage == AGGREGATION) {
        dag.aggregation(3, inputs);
      } else {
        dag.stage(3, inputs);
      }
      dag.recover(stage, 2);
    }
  }

  private TezTaskAttemptID ask(int stage, int task, int number) {
    return dag.ask(stage, task, number);
  }

  private void end(TezTaskAttemptID id) {
    dag.end(id);
  }

  /** All that comes before a stage has run. */
  private void haveRunBefore(int last) {
    for (int stage = 0; stage < last; stage++) {
      for (int task = 0; task < 3; task++) {
        end(ask(stage, task, 0));
      }
    }
    started.clear();
  }

  @Test
  void noMoreTasksRunThanThereAreSlots() {
    List<TezTaskAttemptID> asked = new ArrayList<>();
    for (int task = 0; task < 5; task++) {
      asked.add(ask(0, task, 0));
    }
    assertThat(started).containsExactlyElementsOf(asked.subList(0, 3));
    end(asked.get(1));
    assertThat(started).containsExactlyElementsOf(asked.subList(0, 4));
  }

  @Test
  void whatRunningTasksWaitForNeedsNoSlot() {
    haveRunBefore(2);
    for (int task = 0; task < 3; task++) {
      ask(2, task, 0);
    }
    TezTaskAttemptID again = ask(1, 0, 1);
    assertThat(started).contains(again);
    // One container more is enough of this stage, until it has ended.
    TezTaskAttemptID second = ask(1, 1, 1);
    assertThat(started).doesNotContain(second);
    end(again);
    assertThat(started).contains(second);
  }

  /** Tez starts the managers of stages side by side, so that a later one may ask first. */
  @Test
  void whatIsPushedToLeavesSlotsToProducersThatHaveNotAskedYet() {
    TezTaskAttemptID consumer = ask(1, 0, 0);
    TezTaskAttemptID later = ask(1, 1, 0);
    assertThat(started).isEmpty();
    TezTaskAttemptID first = ask(0, 0, 0);
    assertThat(started).containsExactly(first);
    TezTaskAttemptID second = ask(0, 1, 0);
    assertThat(started).containsExactly(first, second, consumer);
    end(first);
    assertThat(started).containsExactly(first, second, consumer, later);
  }

  /** A node with outputs of several stages is lost while the last stage runs. */
  @Test
  void whatIsRunAgainGetsWhatItWaitsForItself() {
    haveRunBefore(3);
    for (int task = 0; task < 3; task++) {
      ask(3, task, 0);
    }
    TezTaskAttemptID third = ask(2, 1, 1);
    TezTaskAttemptID second = ask(1, 2, 1);
    TezTaskAttemptID first = ask(0, 0, 1);
    assertThat(started).contains(third, second, first);
  }

  @Test
  void aggregationsLeaveSlotsToProducersThatHaveNotAskedYet() {
    haveRunBefore(AGGREGATION - 1);
    List<TezTaskAttemptID> aggregations = new ArrayList<>();
    for (int task = 0; task < 3; task++) {
      aggregations.add(ask(AGGREGATION, task, 0));
    }
    assertThat(started).containsExactly(aggregations.get(0));
    TezTaskAttemptID first = ask(AGGREGATION - 1, 0, 0);
    TezTaskAttemptID second = ask(AGGREGATION - 1, 1, 0);
    assertThat(started).containsExactly(aggregations.get(0), first, second);
    end(first);
    assertThat(started).contains(aggregations.get(1)).doesNotContain(aggregations.get(2));
    end(second);
    assertThat(started).contains(aggregations.get(2));
  }

  @Test
  void aSpeculativeAttemptIsNotHeldUpByAggregations() {
    haveRunBefore(AGGREGATION - 1);
    TezTaskAttemptID slow = ask(AGGREGATION - 1, 0, 0);
    end(ask(AGGREGATION - 1, 1, 0));
    for (int task = 0; task < 3; task++) {
      ask(AGGREGATION, task, 0);
    }
    assertThat(started).contains(slow);
    TezTaskAttemptID overtaking = ask(AGGREGATION - 1, 0, 1);
    assertThat(started).contains(overtaking);
  }

  @Test
  void anAttemptThatOvertakesNoneAnyMoreWaitsForItsTurn() {
    haveRunBefore(AGGREGATION - 1);
    TezTaskAttemptID slow = ask(AGGREGATION - 1, 0, 0);
    for (int task = 1; task < 5; task++) {
      ask(AGGREGATION - 1, task, 0);
    }
    TezTaskAttemptID overtaking = ask(AGGREGATION - 1, 0, 1);
    // Of a stage one attempt may run beyond the slots.
    TezTaskAttemptID second = ask(AGGREGATION - 1, 1, 1);
    assertThat(started).contains(slow, overtaking).doesNotContain(second);
    end(attempt(AGGREGATION - 1, 1));
    assertThat(started).endsWith(attempt(AGGREGATION - 1, 3)).doesNotContain(second);
    end(overtaking);
    assertThat(started).doesNotContain(second);
    end(slow);
    end(attempt(AGGREGATION - 1, 2));
    assertThat(started).endsWith(attempt(AGGREGATION - 1, 4), second);
  }

  private static TezTaskAttemptID attempt(int stage, int task) {
    return FakeDag.attempt(stage, task, 0);
  }

  @Test
  void ofStagesAtTheSameDistanceThoseWhoAskFirstRunFirst() {
    FakeDag pair = new FakeDag(1, false);
    int left = pair.stage(3);
    int right = pair.stage(3);
    int behind = pair.stage(1, left);
    List<TezTaskAttemptID> expected =
        List.of(
            pair.ask(left, 0, 0),
            pair.ask(right, 0, 0),
            pair.ask(left, 1, 0),
            pair.ask(left, 2, 0),
            pair.ask(right, 1, 0));
    TezTaskAttemptID last = pair.ask(behind, 0, 0);
    expected.forEach(pair::end);
    assertThat(pair.started()).startsWith(expected.toArray(TezTaskAttemptID[]::new)).endsWith(last);
  }

  @Test
  void anAttemptThatEndsWhileItWaitsIsForgotten() {
    List<TezTaskAttemptID> asked = new ArrayList<>();
    for (int task = 0; task < 6; task++) {
      asked.add(ask(0, task, 0));
    }
    end(asked.get(3));
    end(asked.get(5));
    assertThat(started).containsExactlyElementsOf(asked.subList(0, 3));
    end(asked.get(0));
    end(asked.get(1));
    assertThat(started).containsExactly(asked.get(0), asked.get(1), asked.get(2), asked.get(4));
  }

  /** As happens when ranges are drawn, or when Tez recovers a job while later stages have begun. */
  @Test
  void theTasksOfAProducerMayChangeUntilItStarts() {
    FakeDag drawn = new FakeDag(2, false);
    int producer = drawn.stage(1);
    int consumer = drawn.stage(1, producer);
    TezTaskAttemptID waiting = drawn.ask(consumer, 0, 0);
    drawn.resize(producer, 3);
    TezTaskAttemptID first = drawn.ask(producer, 0, 0);
    assertThat(drawn.started()).containsExactly(first);
    drawn.recover(producer, 1);
    drawn.end(first);
    assertThat(drawn.started()).containsExactly(first);
    drawn.recover(producer, 2);
    drawn.end(attempt(producer, 2));
    assertThat(drawn.started()).containsExactly(first, waiting);
  }

  @Test
  void whatIsRunAgainNeedsASlotWhenNoneWaitsForItAnyMore() {
    FakeDag forked = new FakeDag(2, false);
    int producer = forked.stage(2);
    int other = forked.stage(2);
    int consumer = forked.stage(1, producer);
    forked.end(forked.ask(producer, 0, 0));
    forked.end(forked.ask(producer, 1, 0));
    TezTaskAttemptID reading = forked.ask(consumer, 0, 0);
    TezTaskAttemptID awaited = forked.ask(producer, 0, 1);
    forked.ask(other, 0, 0);
    TezTaskAttemptID waiting = forked.ask(other, 1, 0);
    forked.end(awaited);
    forked.end(reading);
    TezTaskAttemptID again = forked.ask(producer, 1, 1);
    assertThat(forked.started()).contains(waiting).doesNotContain(again);
  }

  /** A node was lost: there are two containers left, and the third task waits for one. */
  @Test
  void aTaskThatWasEndedForTheRoomLeavesThatToThoseBeforeIt() {
    haveRunBefore(AGGREGATION - 1);
    TezTaskAttemptID aggregation = ask(AGGREGATION, 0, 0);
    List<TezTaskAttemptID> producers = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      producers.add(ask(AGGREGATION - 1, task, 0));
    }
    assertThat(started).containsExactly(aggregation, producers.get(0), producers.get(1));
    dag.giveContainer(aggregation);
    dag.giveContainer(producers.get(0));
    dag.preempt(aggregation);
    TezTaskAttemptID again = ask(AGGREGATION, 0, 1);
    assertThat(started).doesNotContain(producers.get(2), again);
    end(producers.get(0));
    assertThat(started).contains(producers.get(2)).doesNotContain(again);
    end(producers.get(1));
    assertThat(started).contains(producers.get(3)).doesNotContain(again);
    end(producers.get(2));
    assertThat(started).contains(again);
  }

  @Test
  void anAggregationDoesNotCountOnAContainerThatIsLost() {
    haveLostAContainerBefore(AGGREGATION - 1);

    TezTaskAttemptID aggregation = ask(AGGREGATION, 0, 0);
    List<TezTaskAttemptID> producers = askedProducers(5);

    // They have all slots, so that YARN is asked for a container in place of the lost one.
    assertThat(started).containsExactlyElementsOf(producers.subList(0, 3));
    producers.subList(0, 2).forEach(dag::giveContainer);
    end(producers.get(0));
    assertThat(started).doesNotContain(aggregation);
  }

  @Test
  void anAggregationCountsOnAContainerThatIsReplaced() {
    haveLostAContainerBefore(AGGREGATION - 1);

    TezTaskAttemptID aggregation = ask(AGGREGATION, 0, 0);
    List<TezTaskAttemptID> producers = askedProducers(5);
    producers.subList(0, 3).forEach(dag::giveContainer);
    end(producers.get(0));

    assertThat(started).contains(aggregation).doesNotContain(producers.get(3));
  }

  private List<TezTaskAttemptID> askedProducers(int count) {
    dag.resize(AGGREGATION - 1, count);
    return IntStream.range(0, count).mapToObj(task -> ask(AGGREGATION - 1, task, 0)).toList();
  }

  /** All that comes before a stage has run, and one of its tasks twice. */
  private void haveLostAContainerBefore(int last) {
    haveRunBefore(last - 1);
    dag.loseContainer(ask(last - 1, 0, 0));
    end(ask(last - 1, 0, 1));
    end(ask(last - 1, 1, 0));
    end(ask(last - 1, 2, 0));
    started.clear();
  }

  /** As when it gave its container to a speculative attempt. */
  @Test
  void aTaskThatWasEndedWhileAllHadContainersTakesNoSlotAlong() {
    haveRunBefore(AGGREGATION - 1);
    TezTaskAttemptID aggregation = ask(AGGREGATION, 0, 0);
    TezTaskAttemptID first = ask(AGGREGATION - 1, 0, 0);
    TezTaskAttemptID second = ask(AGGREGATION - 1, 1, 0);
    List.of(aggregation, first, second).forEach(dag::giveContainer);
    dag.preempt(aggregation);
    assertThat(started).doesNotContain(attempt(AGGREGATION - 1, 2));
    TezTaskAttemptID third = ask(AGGREGATION - 1, 2, 0);
    assertThat(started).contains(third);
  }
}
