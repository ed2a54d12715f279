// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.tez.task.AggregationProcessor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEventSchedulerUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSchedule;
import org.apache.tez.dag.records.TezDAGID;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;
import org.junit.jupiter.api.Test;

/** On a cluster, with a graph of stages of which each reads from the one before it. */
class SlotSchedulerTest {

  /** The last stage. */
  private static final int AGGREGATION = 4;

  private static final TezDAGID DAG_ID = TezDAGID.getInstance(ApplicationId.newInstance(1, 1), 1);

  private final Map<TezVertexID, Vertex> vertices = new HashMap<>();
  private final List<TezTaskAttemptID> started = new ArrayList<>();
  private final SlotScheduler scheduler;

  SlotSchedulerTest() {
    Configuration conf = new Configuration(false);
    conf.setInt(SlotScheduler.SLOTS, 3);
    Vertex before = null;
    for (int stage = 0; stage <= AGGREGATION; stage++) {
      before = vertex(stage, before);
    }
    DAG dag =
        answering(
            DAG.class,
            (method, arguments) ->
                switch (method) {
                  case "getConf" -> conf;
                  case "getVertex" -> vertices.get(arguments[0]);
                  case "getTotalVertices" -> vertices.size();
                  default -> null;
                });
    scheduler =
        new SlotScheduler(
            dag, event -> started.add(((TaskAttemptEventSchedule) event).getTaskAttemptID()));
  }

  /** Three tasks, of which the last has succeeded before: its attempt was recovered. */
  private static Map<TezTaskID, Task> tasks(TezVertexID vertex) {
    Map<TezTaskID, Task> tasks = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      TezTaskID id = TezTaskID.getInstance(vertex, i);
      TaskState state = i == 2 ? TaskState.SUCCEEDED : TaskState.NEW;
      tasks.put(
          id,
          answering(
              Task.class,
              (method, arguments) ->
                  switch (method) {
                    case "getTaskID" -> id;
                    case "getState" -> state;
                    default -> null;
                  }));
    }
    return tasks;
  }

  private Vertex vertex(int stage, Vertex before) {
    TezVertexID id = TezVertexID.getInstance(DAG_ID, stage);
    Map<Vertex, Object> inputs = new LinkedHashMap<>();
    if (before != null) {
      inputs.put(before, "edge");
    }
    Vertex vertex =
        answering(
            Vertex.class,
            (method, arguments) ->
                switch (method) {
                  case "getVertexId" -> id;
                  case "getDistanceFromRoot" -> stage;
                  case "getInputVertices" -> inputs;
                  case "getProcessorDescriptor" ->
                      ProcessorDescriptor.create(
                          stage == AGGREGATION
                              ? AggregationProcessor.class.getName()
                              : "a stage's");
                  case "getTasks" -> tasks(id);
                  default -> null;
                });
    vertices.put(id, vertex);
    return vertex;
  }

  @FunctionalInterface
  private interface Answers {
    Object of(String method, Object[] arguments);
  }

  /**
   * An object of one of Tez's large interfaces with the few answers that the scheduler asks for.
   */
  private static <T> T answering(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  case "toString" -> type.getSimpleName();
                  default -> answers.of(method.getName(), arguments);
                }));
  }

  private static TezTaskAttemptID attempt(int stage, int task, int number) {
    return TezTaskAttemptID.getInstance(
        TezTaskID.getInstance(TezVertexID.getInstance(DAG_ID, stage), task), number);
  }

  private TezTaskAttemptID ask(int stage, int task, int number) {
    TezTaskAttemptID id = attempt(stage, task, number);
    scheduler.scheduleTaskEx(update(id, DAGEventSchedulerUpdate.UpdateType.TA_SCHEDULE));
    return id;
  }

  private void end(TezTaskAttemptID id) {
    scheduler.taskCompletedEx(update(id, DAGEventSchedulerUpdate.UpdateType.TA_COMPLETED));
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

  private static DAGEventSchedulerUpdate update(
      TezTaskAttemptID id, DAGEventSchedulerUpdate.UpdateType type) {
    return new DAGEventSchedulerUpdate(
        type,
        answering(
            TaskAttempt.class,
            (method, arguments) ->
                switch (method) {
                  case "getTaskAttemptID", "getID" -> id;
                  case "getVertexID" -> id.getVertexID();
                  case "getDAGID" -> DAG_ID;
                  default -> null;
                }));
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
}
