// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.task.AggregationProcessor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.oldrecords.TaskAttemptState;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEventSchedulerUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventNodeFailed;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSchedule;
import org.apache.tez.dag.app.dag.impl.Edge;
import org.apache.tez.dag.records.TaskAttemptTerminationCause;
import org.apache.tez.dag.records.TezDAGID;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;

/** A graph of stages that nobody runs, its {@link SlotScheduler}, and nodes that it may lose. */
final class FakeDag {

  /** When every attempt has succeeded that has. */
  static final long SUCCESS = 1_000;

  private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
  private static final TezDAGID ID = TezDAGID.getInstance(APPLICATION, 1);

  private final List<Vertex> vertices = new ArrayList<>();
  private final List<Map<TezTaskID, Task>> tasks = new ArrayList<>();
  private final Map<TezTaskID, TaskState> states = new HashMap<>();
  private final Map<TezTaskID, NodeId> nodes = new HashMap<>();
  private final Map<TezTaskID, Long> launchTimes = new HashMap<>();
  private final Set<TezTaskAttemptID> inContainers = new HashSet<>();
  private final List<Map<Vertex, Edge>> outputs = new ArrayList<>();
  private final List<TezTaskAttemptID> started = new ArrayList<>();
  private final List<TezTaskAttemptID> failedWithNode = new ArrayList<>();
  private final DAG dag;
  private boolean complete;
  private final SlotScheduler scheduler;

  /** A graph without stages. */
  FakeDag(int slots, boolean aggregationsApart) {
    Configuration conf = new Configuration(false);
    conf.setInt(SlotScheduler.SLOTS, slots);
    conf.setBoolean(SlotScheduler.AGGREGATIONS_APART, aggregationsApart);
    dag =
        answering(
            DAG.class,
            (method, arguments) ->
                switch (method) {
                  case "getConf" -> conf;
                  case "getVertex" -> vertices.get(((TezVertexID) arguments[0]).getId());
                  case "getVertices" ->
                      vertices.stream()
                          .collect(Collectors.toMap(Vertex::getVertexId, Function.identity()));
                  case "getTotalVertices" -> vertices.size();
                  case "isComplete" -> complete;
                  case "getEventHandler" -> (EventHandler<TaskAttemptEventNodeFailed>) this::failed;
                  default -> null;
                });
    scheduler =
        new SlotScheduler(
            dag, event -> started.add(((TaskAttemptEventSchedule) event).getTaskAttemptID()));
  }

  private void failed(TaskAttemptEventNodeFailed event) {
    failedWithNode.add(event.getTaskAttemptID());
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
    outputs.add(new LinkedHashMap<>());
    Configuration conf = new Configuration(false);
    LostBlocks.settings(true).forEach(conf::set);
    vertices.add(
        answering(
            Vertex.class,
            (method, arguments) ->
                switch (method) {
                  case "getConf" -> conf;
                  case "getOutputVertices" -> outputs.get(stage);
                  case "getTask" -> tasks.get(stage).get(arguments[0]);
                  case "getTotalTasks" -> tasks.get(stage).size();
                  case "getSucceededTasks" -> succeededTasks(stage);
                  case "getVertexId" -> id;
                  case "getDistanceFromRoot" -> fromRoot;
                  case "getInputVertices" -> producers;
                  case "getProcessorDescriptor" -> ProcessorDescriptor.create(processor);
                  case "getTasks" -> tasks.get(stage);
                  default -> null;
                }));
    resize(stage, taskCount);
    for (int input : inputs) {
      connect(
          input,
          stage,
          EdgeProperty.create(
              EdgeProperty.DataMovementType.SCATTER_GATHER,
              EdgeProperty.DataSourceType.PERSISTED,
              EdgeProperty.SchedulingType.SEQUENTIAL,
              OutputDescriptor.create("output"),
              InputDescriptor.create("input")));
    }
    return stage;
  }

  /** Has a stage keep its data where no node takes it along. */
  void keepElsewhere(int stage) {
    LostBlocks.settings(false).forEach(vertices.get(stage).getConf()::set);
  }

  /** Has the tasks of a stage each read from that of the same number. */
  void readOneToOne(int input, int stage) {
    connect(
        input,
        stage,
        EdgeProperty.create(
            EdgeManagerPluginDescriptor.create(OneToOneEdgeManager.class.getName()),
            EdgeProperty.DataSourceType.PERSISTED,
            EdgeProperty.SchedulingType.SEQUENTIAL,
            OutputDescriptor.create("output"),
            InputDescriptor.create("input")));
  }

  private void connect(int input, int stage, EdgeProperty property) {
    try {
      outputs.get(input).put(vertices.get(stage), new Edge(property, null, dag.getConf()));
    } catch (TezException e) {
      throw new IllegalStateException(e);
    }
  }

  private int succeededTasks(int stage) {
    return (int)
        tasks.get(stage).values().stream()
            .filter(task -> task.getState() == TaskState.SUCCEEDED)
            .count();
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
                        case "getSuccessfulAttempt" -> successfulAttempt(id);
                        case "getAttempt" -> runningAttempt((TezTaskAttemptID) arguments[0]);
                        case "getAttempts" -> launched(id);
                        default -> null;
                      }));
    }
  }

  /** The graph as Tez shows it. */
  DAG dag() {
    return dag;
  }

  /** The attempts that have failed with their nodes. */
  List<TezTaskAttemptID> failedWithNode() {
    return failedWithNode;
  }

  /** The first attempt of a task, as it is when it has succeeded. */
  TaskAttempt successfulAttempt(int stage, int task) {
    return successfulAttempt(taskId(stage, task));
  }

  private TaskAttempt successfulAttempt(TezTaskID task) {
    TezTaskAttemptID id = TezTaskAttemptID.getInstance(task, 0);
    return answering(
        TaskAttempt.class,
        (method, arguments) ->
            switch (method) {
              case "getTaskAttemptID" -> id;
              case "getNodeId" -> nodes.get(task);
              case "getFinishTime" -> SUCCESS;
              default -> null;
            });
  }

  /** The first attempt of a task, where it runs. */
  private Map<TezTaskAttemptID, TaskAttempt> launched(TezTaskID task) {
    Long time = launchTimes.get(task);
    return time == null
        ? Map.of()
        : Map.of(
            TezTaskAttemptID.getInstance(task, 0),
            answering(
                TaskAttempt.class,
                (method, arguments) ->
                    switch (method) {
                      case "getState" -> TaskAttemptState.RUNNING;
                      case "getLaunchTime" -> time;
                      default -> null;
                    }));
  }

  /** Lets the first attempt of a task run since a time. */
  void launch(int stage, int task, long time) {
    launchTimes.put(taskId(stage, task), time);
  }

  private TaskAttempt runningAttempt(TezTaskAttemptID id) {
    return answering(
        TaskAttempt.class,
        (method, arguments) ->
            method.equals("getAssignedContainerID") && inContainers.contains(id)
                ? ContainerId.newContainerId(ApplicationAttemptId.newInstance(APPLICATION, 1), 1)
                : null);
  }

  /** Lets YARN have given an attempt a container. */
  void giveContainer(TezTaskAttemptID id) {
    inContainers.add(id);
  }

  /** Lets the first attempt of a task have succeeded on a node. */
  void succeed(int stage, int task, NodeId node) {
    recover(stage, task);
    place(stage, task, node);
  }

  /** Lets the first attempt of a task be one of a node. */
  void place(int stage, int task, NodeId node) {
    nodes.put(taskId(stage, task), node);
  }

  /** Lets the job have ended, with whatever has not. */
  void complete() {
    complete = true;
  }

  /** Lets a node be lost; gives the attempts that have failed with it. */
  List<TezTaskAttemptID> lose(NodeId node) {
    LostBlocks.makeAgain(dag, node);
    return failedWithNode;
  }

  /** Lets a task have succeeded: it is not run, since its attempt was recovered. */
  void recover(int stage, int task) {
    states.put(taskId(stage, task), TaskState.SUCCEEDED);
  }

  @FunctionalInterface
  private interface Answers {
    Object of(String method, Object[] arguments);
  }

  /** An object of one of Tez's large interfaces with the few answers that are asked for. */
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
    scheduler.scheduleTaskEx(
        update(
            id,
            DAGEventSchedulerUpdate.UpdateType.TA_SCHEDULE,
            TaskAttemptTerminationCause.UNKNOWN_ERROR));
    return id;
  }

  /** An attempt has ended. */
  void end(TezTaskAttemptID id) {
    end(id, TaskAttemptTerminationCause.UNKNOWN_ERROR);
  }

  /** An attempt was ended, so that another one gets its container. */
  void preempt(TezTaskAttemptID id) {
    end(id, TaskAttemptTerminationCause.INTERNAL_PREEMPTION);
  }

  /** An attempt's container has ended, with its node or by itself. */
  void loseContainer(TezTaskAttemptID id) {
    end(id, TaskAttemptTerminationCause.CONTAINER_EXITED);
  }

  private void end(TezTaskAttemptID id, TaskAttemptTerminationCause cause) {
    scheduler.taskCompletedEx(update(id, DAGEventSchedulerUpdate.UpdateType.TA_COMPLETED, cause));
    inContainers.remove(id);
  }

  private static DAGEventSchedulerUpdate update(
      TezTaskAttemptID id,
      DAGEventSchedulerUpdate.UpdateType type,
      TaskAttemptTerminationCause cause) {
    return new DAGEventSchedulerUpdate(
        type,
        answering(
            TaskAttempt.class,
            (method, arguments) ->
                switch (method) {
                  case "getTaskAttemptID", "getID" -> id;
                  case "getVertexID" -> id.getVertexID();
                  case "getDAGID" -> ID;
                  case "getTerminationCause" -> cause;
                  default -> null;
                }));
  }

  /** The attempts that have got to run, in that order; a test may take some away. */
  List<TezTaskAttemptID> started() {
    return started;
  }
}
