// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.common.security.ACLManager;
import org.apache.tez.dag.api.NamedEntityDescriptor;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.TaskCommunicatorManagerInterface;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.rm.TaskSchedulerManager;
import org.apache.tez.dag.app.rm.container.AMContainer;
import org.apache.tez.dag.app.rm.container.AMContainerMap;
import org.apache.tez.dag.history.DAGHistoryEvent;
import org.apache.tez.dag.history.HistoryEventHandler;
import org.apache.tez.hadoop.shim.DefaultHadoopShim;
import org.apache.tez.hadoop.shim.HadoopShim;

/**
 * What Tez's graph of a job asks its application master for, where there are only the graph, a
 * queue of events, and a clock.
 */
final class MasterContext {

  private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
  private static final String USER = "scale";

  /** There is nothing to be said to containers. */
  private static final TaskCommunicatorManagerInterface COMMUNICATOR =
      answering(
          TaskCommunicatorManagerInterface.class,
          method -> method.equals("getTotalUsedMemory") ? 0L : null);

  private final Configuration configuration;
  private final EventHandler<?> events;
  private final VirtualTime time;
  private final Supplier<DAG> dag;
  private final HadoopShim shim = new DefaultHadoopShim();
  private final ACLManager acls;
  private final ListeningExecutorService executor;
  private HistoryEventHandler history;
  private TaskSchedulerManager schedulers;
  private AMContainerMap containers;

  private MasterContext(
      Configuration configuration,
      EventHandler<?> events,
      Executor queue,
      VirtualTime time,
      Supplier<DAG> dag) {
    this.configuration = configuration;
    this.events = events;
    this.time = time;
    this.dag = dag;
    this.acls = new ACLManager(USER, configuration);
    this.executor = MoreExecutors.listeningDecorator(new QueueingExecutor(queue));
  }

  /**
   * A context.
   *
   * @param events takes the events of the graph
   * @param queue runs what vertex managers do
   * @param dag the graph, when there is one
   * @param executors by their ids; may grow
   */
  static AppContext create(
      Configuration configuration,
      EventHandler<?> events,
      Executor queue,
      VirtualTime time,
      Supplier<DAG> dag,
      Map<ContainerId, Container> executors) {
    MasterContext master = new MasterContext(configuration, events, queue, time, dag);
    AppContext context = answering(AppContext.class, master::answer);
    master.history = new NoHistory(context);
    master.schedulers = new AlikeNodes(context, events);
    master.containers = new Executors(context, executors);
    return context;
  }

  private Object answer(String method) {
    return switch (method) {
      case "getAMConf" -> configuration;
      case "getApplicationID" -> APPLICATION;
      case "getApplicationAttemptId" -> ApplicationAttemptId.newInstance(APPLICATION, 1);
      case "getCumulativeCPUTime", "getCumulativeGCTime", "getStartTime" -> 0L;
      case "getUser", "getAMUser", "getApplicationName" -> USER;
      case "getCurrentDAG" -> dag.get();
      case "getCurrentDAGID" -> dag.get().getID();
      case "getExecService" -> executor;
      case "getEventHandler" -> events;
      case "getClock" -> time;
      case "getAllContainers" -> containers;
      case "getTaskScheduler" -> schedulers;
      case "getTaskCommunicatorManager" -> COMMUNICATOR;
      case "getHistoryHandler" -> history;
      case "getAMACLManager" -> acls;
      case "getHadoopShim" -> shim;
      case "isLocal" -> true;
      case "isSession", "isRecoveryEnabled", "isAMInCompletionState" -> false;
      case "getTaskCommunicatorIdentifier",
          "getTaskScheduerIdentifier",
          "getContainerLauncherIdentifier" ->
          0;
      case "getTaskCommunicatorName", "getTaskSchedulerName", "getContainerLauncherName" -> USER;
      case "getTaskCommunicatorClassName",
          "getTaskSchedulerClassName",
          "getContainerLauncherClassName" ->
          USER;
      default -> null;
    };
  }

  /** What an object says, by the name of what it is asked. */
  @FunctionalInterface
  private interface Answers {
    Object of(String method);
  }

  /** An object of one of Tez's large interfaces, of which little is asked. */
  private static <T> T answering(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.of(method.getName())));
  }

  /** Writes no history. */
  private static final class NoHistory extends HistoryEventHandler {

    NoHistory(AppContext context) {
      super(context);
    }

    @Override
    public void handle(DAGHistoryEvent event) {
      // Nobody reads it.
    }

    @Override
    public void handleCriticalEvent(DAGHistoryEvent event) {
      // Nobody reads it.
    }
  }

  /** A cluster on which there is room for whatever is asked. */
  private static final class AlikeNodes extends TaskSchedulerManager {

    AlikeNodes(AppContext context, EventHandler<?> events) {
      super(
          context,
          null,
          events,
          null,
          null,
          List.of(new NamedEntityDescriptor<>(USER, null)),
          true,
          context.getHadoopShim());
    }

    @Override
    public int getNumClusterNodes() {
      return 1;
    }

    @Override
    public int getNumClusterNodes(boolean tryUpdate) {
      return 1;
    }

    @Override
    public Resource getTotalResources(int schedulerId) {
      return Resource.newInstance(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
  }

  /** The executors, as tasks ask where they run. */
  private static final class Executors extends AMContainerMap {

    private final Map<ContainerId, Container> executors;

    Executors(AppContext context, Map<ContainerId, Container> executors) {
      super(null, null, null, context);
      this.executors = executors;
    }

    @Override
    public AMContainer get(ContainerId id) {
      Container container = executors.get(id);
      return answering(
          AMContainer.class,
          method ->
              switch (method) {
                case "getContainer" -> container;
                case "getContainerId" -> id;
                case "getCurrentTaskAttemptAllocationTime" -> 0L;
                default -> null;
              });
    }
  }

  /** Hands on what it is to run. */
  private static final class QueueingExecutor extends AbstractExecutorService {

    private final Executor queue;

    QueueingExecutor(Executor queue) {
      this.queue = queue;
    }

    @Override
    public void execute(Runnable action) {
      queue.execute(action);
    }

    @Override
    public void shutdown() {
      // It has no thread.
    }

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
