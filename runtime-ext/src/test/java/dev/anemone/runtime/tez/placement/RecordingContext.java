// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.common.ContainerSignatureMatcher;
import org.apache.tez.common.TezUtils;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.serviceplugins.api.DagInfo;
import org.apache.tez.serviceplugins.api.ServicePluginError;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;

/**
 * The side of the application master that a scheduler sees. It runs one DAG, in which every vertex
 * depends on those of lower index, and notes what it is told. Thread-safe.
 */
final class RecordingContext implements TaskSchedulerContext, DagInfo {

  private static final int VERTICES = 4;

  private final Configuration conf;
  private final Map<Object, Integer> vertexOf = new ConcurrentHashMap<>();

  /** The container of each task. */
  final Map<Object, Container> allocated = new ConcurrentHashMap<>();

  final Queue<ContainerId> released = new ConcurrentLinkedQueue<>();
  final Queue<ContainerId> preempted = new ConcurrentLinkedQueue<>();
  final Queue<String> errors = new ConcurrentLinkedQueue<>();

  /** A context with these settings of Tez and YARN. */
  RecordingContext(Configuration conf) {
    this.conf = conf;
  }

  /** A task of the vertex of that index, with these settings of its vertex. */
  Object task(int vertex, VertexHosts hosts) {
    return task(vertex, hosts, Set.of());
  }

  /** A task of which other attempts run on these nodes. */
  Object task(int vertex, VertexHosts hosts, Set<NodeId> running) {
    Configuration settings = new Configuration(false);
    hosts.settings().forEach(settings::set);
    Vertex ofTask =
        answering(Vertex.class, Map.of("getConf", settings, "getName", "stage" + vertex));
    Object attempt =
        answering(
            TaskAttempt.class,
            Map.of(
                "getTask",
                answering(
                    Task.class,
                    Map.of("getVertex", ofTask, "getNodesWithRunningAttempts", running))));
    vertexOf.put(attempt, vertex);
    return attempt;
  }

  /** An object of one of Tez's large interfaces with the few answers that a scheduler asks for. */
  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    InvocationHandler handler =
        (self, method, arguments) ->
            switch (method.getName()) {
              case "hashCode" -> System.identityHashCode(self);
              case "equals" -> self == arguments[0];
              case "toString" -> type.getSimpleName() + answers;
              default -> answers.get(method.getName());
            };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public UserPayload getInitialUserPayload() {
    try {
      return TezUtils.createUserPayloadFromConf(conf);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void taskAllocated(Object task, Object appCookie, Container container) {
    allocated.put(task, container);
    notifyAll();
  }

  @Override
  public synchronized void containerBeingReleased(ContainerId containerId) {
    released.add(containerId);
    notifyAll();
  }

  @Override
  public synchronized void preemptContainer(ContainerId containerId) {
    preempted.add(containerId);
    notifyAll();
  }

  @Override
  public synchronized void reportError(ServicePluginError error, String message, DagInfo dagInfo) {
    errors.add(error + ": " + message);
    notifyAll();
  }

  /**
   * Returns when a condition of what is noted here holds.
   *
   * @throws AssertionError when it does not in time
   */
  synchronized void await(BooleanSupplier condition, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError(
            "not within " + limit + ": " + allocated + ", preempted " + preempted + ", " + errors);
      }
      wait(left);
    }
  }

  @Override
  public int getVertexIndexForTask(Object task) {
    return vertexOf.get(task);
  }

  @Override
  public DagInfo getCurrentDagInfo() {
    return this;
  }

  @Override
  public int getTotalVertices() {
    return VERTICES;
  }

  @Override
  public BitSet getVertexDescendants(int vertexIndex) {
    BitSet descendants = new BitSet();
    descendants.set(vertexIndex + 1, VERTICES);
    return descendants;
  }

  @Override
  public ContainerSignatureMatcher getContainerSignatureMatcher() {
    return answering(
        ContainerSignatureMatcher.class, Map.of("isSuperSet", true, "isExactMatch", true));
  }

  @Override
  public AMState getAMState() {
    return AMState.RUNNING_APP;
  }

  @Override
  public boolean isSession() {
    return true;
  }

  @Override
  public AppFinalStatus getFinalAppStatus() {
    return new AppFinalStatus(FinalApplicationStatus.SUCCEEDED, "", "");
  }

  @Override
  public float getProgress() {
    return 0.5f;
  }

  @Override
  public int getIndex() {
    return 0;
  }

  @Override
  public String getName() {
    return "dag";
  }

  @Override
  public Credentials getCredentials() {
    return new Credentials();
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public String getAppHostName() {
    return "localhost";
  }

  @Override
  public int getAppClientPort() {
    return 0;
  }

  @Override
  public String getAppTrackingUrl() {
    return "";
  }

  @Override
  public long getCustomClusterIdentifier() {
    return 0;
  }

  @Override
  public ApplicationAttemptId getApplicationAttemptId() {
    throw new UnsupportedOperationException("no scheduler asks for it");
  }

  // What a test does not look at:

  @Override
  public void containerAllocated(Container container) {}

  @Override
  public void containerReused(Container container) {}

  @Override
  public void containerCompleted(Object taskLastAllocated, ContainerStatus containerStatus) {}

  @Override
  public void nodesUpdated(List<NodeReport> updatedNodes) {}

  @Override
  public void appShutdownRequested() {}

  @Override
  public void setApplicationRegistrationData(
      Resource maxContainerCapability,
      Map<ApplicationAccessType, String> appAcls,
      ByteBuffer clientAMSecretKey,
      String queueName) {}
}
