// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.engine.TransportOptions;
import dev.anemone.runtime.tez.backend.RunningJobs;
import dev.anemone.runtime.tez.container.ContainerSizes;
import dev.anemone.runtime.tez.job.ContainerScopes;
import dev.anemone.runtime.tez.pool.ClusterPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The applications of this client on clusters. A job borrows one that is idle, or starts one. They
 * end when the JVM ends, or, if it is killed, when they have not heard of it for some time.
 * Thread-safe.
 */
public final class YarnSessions {

  private static final Logger LOG = LoggerFactory.getLogger(YarnSessions.class);
  private static final String HOME = ".anemone";
  private static final String STAGING = "staging";

  private final RunningJobs runningJobs = new RunningJobs();
  private final Deque<Idle> idle = new ArrayDeque<>();

  /** With what each was started. */
  private final Map<YarnSession, Settings> borrowed = new HashMap<>();

  private boolean closed;

  public YarnSessions() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "anemone-yarn-shutdown"));
  }

  /**
   * What an application is started with and cannot change.
   *
   * @param slots tasks that run at once
   * @param slowTaskThreshold see {@link dev.anemone.ir.property.ClonedScheduling}
   * @param task sizes of a task's container
   * @param master sizes of the application master's
   * @param temporary a directory on this machine
   * @param remoteMemory the pool of remote memory
   * @param transport how data gets from container to container, where a node has it
   */
  record Settings(
      Deployment.Yarn deployment,
      int slots,
      double slowTaskThreshold,
      ContainerSizes task,
      ContainerSizes master,
      Path temporary,
      Optional<StoreOptions.RemoteMemory> remoteMemory,
      TransportOptions transport) {

    /** Whether an application that was started with these can run a job that wants others. */
    boolean serve(Settings wanted) {
      return deployment.equals(wanted.deployment)
          && slots == wanted.slots
          && slowTaskThreshold == wanted.slowTaskThreshold
          && task.replaces(wanted.task)
          && master.equals(wanted.master)
          && temporary.equals(wanted.temporary)
          && remoteMemory.equals(wanted.remoteMemory)
          && transport.equals(wanted.transport);
    }
  }

  private record Idle(Settings settings, YarnSession session) {}

  /** The jobs that run on the sessions. */
  RunningJobs runningJobs() {
    return runningJobs;
  }

  /**
   * How much native memory a job is to be compiled with: that of containers that wait for jobs,
   * where they serve, so that the job need not start others, else with some to spare for jobs that
   * come after it.
   *
   * @param wanted bytes that a task takes outside of heap and data plane
   * @param spare whether it may have more than it wants
   * @return bytes, at least those
   */
  public synchronized long nativeBytes(Deployment.Yarn deployment, long wanted, boolean spare) {
    return idle.stream()
        .filter(each -> each.settings().deployment().equals(deployment))
        .map(each -> each.settings().task())
        .filter(task -> task.replaces(task.withNative(wanted)))
        .findFirst()
        .map(task -> (long) task.nativeMb() << 20)
        .orElseGet(() -> spare ? withSpare(deployment, wanted) : wanted);
  }

  private static long withSpare(Deployment.Yarn deployment, long wanted) {
    int memoryMb =
        deployment.executors().stream().mapToInt(ExecutorGroup::memoryMb).min().orElseThrow();
    return ContainerSizes.withSpareNative(memoryMb, wanted);
  }

  /** An idle session that serves, or a new one. The caller gives it back or stops it. */
  YarnSession borrow(Settings settings, Configuration cluster)
      throws IOException, InterruptedException {
    Optional<Idle> found = takeIdle(settings);
    if (found.isEmpty()) {
      stopIdle();
    }
    Idle taken = found.isPresent() ? found.get() : new Idle(settings, start(settings, cluster));
    synchronized (this) {
      borrowed.put(taken.session(), taken.settings());
    }
    return taken.session();
  }

  private Optional<Idle> takeIdle(Settings settings) throws IOException {
    while (true) {
      Optional<Idle> found;
      synchronized (this) {
        if (closed) {
          throw new IOException("no job can start while the JVM shuts down");
        }
        found = idle.stream().filter(each -> each.settings().serve(settings)).findFirst();
        found.ifPresent(idle::remove);
      }
      if (found.isEmpty() || found.get().session().isReady()) {
        return found;
      }
      found.get().session().stop();
    }
  }

  /** Idle applications keep executors, for which a new one might wait on a full cluster. */
  private void stopIdle() throws IOException {
    List<Idle> stopped;
    synchronized (this) {
      stopped = List.copyOf(idle);
      idle.clear();
    }
    for (Idle each : stopped) {
      each.session().stop();
    }
  }

  private static YarnSession start(Settings settings, Configuration cluster)
      throws IOException, InterruptedException {
    Application application = application(settings, cluster);
    return YarnSession.start("anemone", application, settings.deployment());
  }

  /**
   * What an application is started with.
   *
   * @param configuration with all settings
   * @param classPath on the cluster
   * @param credentials of the master, and of the tasks
   */
  record Application(
      TezConfiguration configuration, ShippedClassPath classPath, Credentials credentials) {

    /** The DAG with what its tasks need; a master's credentials do not become theirs. */
    DAG prepared(DAG dag) throws IOException {
      return dag.setCredentials(credentials)
          .addTaskLocalFiles(classPath.resources())
          .addURIsForCredentials(ClusterSecurity.fileSystems(configuration));
    }
  }

  /** Prepares the start of an application: ships what the cluster does not have yet. */
  static Application application(Settings settings, Configuration cluster) throws IOException {
    Deployment.Yarn deployment = settings.deployment();
    ClusterResources resources =
        ClusterResources.query(
            cluster,
            deployment.executors(),
            deployment.masterMemoryMb(),
            deployment.waits().answer());
    SharedJars jars = SharedJars.atHome(cluster, resources.nodes(), settings.temporary());
    ShippedClassPath classPath = jars.ship(deployment.classPath(), deployment.waits().shipping());
    LOG.info(
        "Class path on the cluster: {} bytes sent, {} bytes were there",
        classPath.uploadedBytes(),
        classPath.reusedBytes());
    deleteUnused(jars, deployment.waits());
    TezConfiguration configuration =
        ApplicationConfiguration.of(
            cluster,
            deployment,
            classPath,
            new org.apache.hadoop.fs.Path(home(cluster), STAGING),
            settings.slots(),
            settings.slowTaskThreshold(),
            settings.master(),
            settings.task());
    configuration.set(ContainerScopes.PUSH_TRANSPORT, settings.transport().push());
    configuration.setBoolean(ContainerScopes.PULL_BY_TRANSPORT, settings.transport().pulls());
    Credentials credentials = new Credentials();
    if (settings.remoteMemory().isPresent()) {
      ClusterPool.of(settings.remoteMemory().get(), settings.task()).writeTo(configuration);
      credentials = ClusterPool.credentials(settings.remoteMemory().get());
    }
    return new Application(configuration, classPath, credentials);
  }

  /** Whoever cleans up next does it, if this client cannot; the job has what it needs. */
  private static void deleteUnused(SharedJars jars, ClusterWaits waits) {
    try {
      jars.deleteUnused(waits.unusedJars(), waits.answer());
    } catch (IOException e) {
      LOG.warn("Jars that no job has used for {} were left", waits.unusedJars(), e);
    }
  }

  /** The directory of all that jobs of this user have on a cluster. */
  static org.apache.hadoop.fs.Path home(Configuration cluster) throws IOException {
    try (FileSystem fileSystem = FileSystem.newInstance(cluster)) {
      return new org.apache.hadoop.fs.Path(fileSystem.getHomeDirectory(), HOME);
    }
  }

  /** Takes a session back for other jobs. */
  void giveBack(YarnSession session) throws IOException {
    synchronized (this) {
      Settings settings = borrowed.remove(session);
      if (!closed && settings != null) {
        idle.addFirst(new Idle(settings, session));
        return;
      }
    }
    session.stop();
  }

  /** Stops a session that is not given back. */
  void discard(YarnSession session) throws IOException {
    synchronized (this) {
      borrowed.remove(session);
    }
    session.stop();
  }

  private void close() {
    synchronized (this) {
      closed = true;
    }
    runningJobs.cancelAtExit();
    Deque<YarnSession> sessions = new ArrayDeque<>();
    synchronized (this) {
      idle.forEach(each -> sessions.add(each.session()));
      sessions.addAll(borrowed.keySet());
      idle.clear();
      borrowed.clear();
    }
    for (YarnSession session : sessions) {
      try {
        session.stop();
      } catch (IOException | RuntimeException e) {
        LOG.warn("An application was left behind; it ends without its client", e);
      }
    }
  }
}
