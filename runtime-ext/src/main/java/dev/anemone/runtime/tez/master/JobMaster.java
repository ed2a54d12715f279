// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.sampling.RunTimeOptimizer;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.tez.job.ConsumedOutputs;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the vertex managers of one job share in their application master. An application master that
 * is run again after a failure begins with nothing of it. Thread-safe.
 */
public final class JobMaster {

  private static final Map<String, JobMaster> MASTERS = new HashMap<>();

  private final ClassLoader classLoader;
  private final MasterTimer timer;
  private final ReadOutputs readOutputs = new ReadOutputs();
  private final GatheredLinks gatheredLinks = new GatheredLinks();
  private final Set<String> startedVertices = ConcurrentHashMap.newKeySet();
  private RunTimeOptimizer optimizer;

  private JobMaster(ClassLoader classLoader, MasterTimer timer) {
    this.classLoader = classLoader;
    this.timer = timer;
  }

  /**
   * Makes the one of a job whose application master runs in the JVM of its client, as its tasks do.
   *
   * @param read takes what of the job's data is not needed any more
   */
  public static void open(String jobId, ClassLoader classLoader, Consumer<ConsumedOutputs> read) {
    open(jobId, classLoader, read, MasterTimer.real());
  }

  /** The same, where time goes by as somebody else says. */
  public static void open(
      String jobId, ClassLoader classLoader, Consumer<ConsumedOutputs> read, MasterTimer timer) {
    JobMaster master = new JobMaster(classLoader, timer);
    master.readOutputs.listen(read);
    synchronized (MASTERS) {
      MASTERS.put(jobId, master);
    }
  }

  /**
   * The one of a job. An application master on a cluster makes it when it is first asked for; it
   * has one job at a time, and forgets the one before.
   */
  static JobMaster of(String jobId) {
    synchronized (MASTERS) {
      JobMaster master = MASTERS.get(jobId);
      if (master == null) {
        if (ContainerEnvironment.here().isEmpty()) {
          throw new IllegalStateException("job " + jobId + " has ended");
        }
        MASTERS.clear();
        master = new JobMaster(Thread.currentThread().getContextClassLoader(), MasterTimer.real());
        MASTERS.put(jobId, master);
      }
      return master;
    }
  }

  /** Forgets a job that has ended. */
  public static void forget(String jobId) {
    synchronized (MASTERS) {
      MASTERS.remove(jobId);
    }
  }

  /** Notes that tasks of these vertices have been asked for. */
  void started(Set<String> vertexIds) {
    startedVertices.addAll(vertexIds);
  }

  /** Ids of the vertices of which tasks have been asked for. */
  Set<String> startedVertices() {
    return Set.copyOf(startedVertices);
  }

  /** The time, for the job's vertex managers. */
  MasterTimer timer() {
    return timer;
  }

  /** What of the job's data has been read. */
  ReadOutputs readOutputs() {
    return readOutputs;
  }

  /** The links over which vertex managers gather what is announced. */
  GatheredLinks gatheredLinks() {
    return gatheredLinks;
  }

  /** The job's optimizer; the plan is read when it is first needed. */
  synchronized RunTimeOptimizer optimizer(JobFiles files) throws IOException {
    if (optimizer == null) {
      optimizer = new RunTimeOptimizer(files.readRunTimePlan(), classLoader);
    }
    return optimizer;
  }
}
