// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

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

/** A graph of stages that nobody runs, and its {@link SlotScheduler}. */
final class FakeDag {

  private static final TezDAGID ID = TezDAGID.getInstance(ApplicationId.newInstance(1, 1), 1);

  private final List<Vertex> vertices = new ArrayList<>();
  private final List<Map<TezTaskID, Task>> tasks = new ArrayList<>();
  private final Map<TezTaskID, TaskState> states = new HashMap<>();
  private final List<TezTaskAttemptID> started = new ArrayList<>();
  private final SlotScheduler scheduler;

  /** A graph without stages. */
  FakeDag(int slots, boolean aggregationsApart) {
    Configuration conf = new Configuration(false);
    conf.setInt(SlotScheduler.SLOTS, slots);
    conf.setBoolean(SlotScheduler.AGGREGATIONS_APART, aggregationsApart);
    DAG dag =
        answering(
            DAG.class,
            (method, arguments) ->
                switch (method) {
                  case "getConf" -> conf;
                  case "getVertex" -> vertices.get(((TezVertexID) arguments[0]).getId());
                  case "getTotalVertices" -> vertices.size();
                  default -> null;
                });
    scheduler =
        new SlotScheduler(
            dag, event -> started.add(((TaskAttemptEventSchedule) event).getTaskAttemptID()));
  }

  /** Adds a stage that reads from others, and returns its number. */
  int stage(int taskCount, int... inputs) {
    return stage("a stage's", taskCount, inputs);
  }

  /** Adds a stage to which others push, and returns its number. */
  int aggregation(int taskCount, int... inputs) {
    return stage(AggregationProcessor.class.getName(), taskCount, inputs);
  }

  private int stage(String processor, int taskCount, int... inputs) {
    int stage = vertices.size();
    TezVertexID id = TezVertexID.getInstance(ID, stage);
    Map<Vertex, Object> producers = new LinkedHashMap<>();
    int distance = 0;
    for (int input : inputs) {
      producers.put(vertices.get(input), "edge");
      distance = Math.max(distance, vertices.get(input).getDistanceFromRoot() + 1);
    }
    int fromRoot = distance;
    tasks.add(new LinkedHashMap<>());
    vertices.add(
        answering(
            Vertex.class,
            (method, arguments) ->
                switch (method) {
                  case "getVertexId" -> id;
                  case "getDistanceFromRoot" -> fromRoot;
                  case "getInputVertices" -> producers;
                  case "getProcessorDescriptor" -> ProcessorDescriptor.create(processor);
                  case "getTasks" -> tasks.get(stage);
                  default -> null;
                }));
    resize(stage, taskCount);
    return stage;
  }

  /** Gives a stage another number of tasks, none of which has run. */
  void resize(int stage, int taskCount) {
    tasks.get(stage).clear();
    for (int i = 0; i < taskCount; i++) {
      TezTaskID id = taskId(stage, i);
      tasks
          .get(stage)
          .put(
              id,
              answering(
                  Task.class,
                  (method, arguments) ->
                      switch (method) {
                        case "getTaskID" -> id;
                        case "getState" -> states.getOrDefault(id, TaskState.NEW);
                        default -> null;
                      }));
    }
  }

  /** Lets a task have succeeded: it is not run, since its attempt was recovered. */
  void recover(int stage, int task) {
    states.put(taskId(stage, task), TaskState.SUCCEEDED);
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

  private static TezTaskID taskId(int stage, int task) {
    return TezTaskID.getInstance(TezVertexID.getInstance(ID, stage), task);
  }

  static TezTaskAttemptID attempt(int stage, int task, int number) {
    return TezTaskAttemptID.getInstance(taskId(stage, task), number);
  }

  /** An attempt asks for its slot. */
  TezTaskAttemptID ask(int stage, int task, int number) {
    TezTaskAttemptID id = attempt(stage, task, number);
    scheduler.scheduleTaskEx(update(id, DAGEventSchedulerUpdate.UpdateType.TA_SCHEDULE));
    return id;
  }

  /** An attempt has ended. */
  void end(TezTaskAttemptID id) {
    scheduler.taskCompletedEx(update(id, DAGEventSchedulerUpdate.UpdateType.TA_COMPLETED));
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
                  case "getDAGID" -> ID;
                  default -> null;
                }));
  }

  /** The attempts that have got to run, in that order; a test may take some away. */
  List<TezTaskAttemptID> started() {
    return started;
  }
}
