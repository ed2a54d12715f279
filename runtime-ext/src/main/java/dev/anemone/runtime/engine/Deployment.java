// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Where jobs run. */
public sealed interface Deployment {

  /** In this JVM. */
  record InProcess() implements Deployment {}

  /**
   * On Hadoop YARN, where every job gets containers of its own.
   *
   * @param configuration directory with the cluster's {@code core-site.xml}, {@code hdfs-site.xml}
   *     and {@code yarn-site.xml}
   * @param executors what containers to ask for; not empty
   * @param masterMemoryMb memory in MB of the application master's container
   * @param queue the queue to submit to; empty for the cluster's default
   * @param classPath jars and directories that tasks need; they are shipped to the cluster
   * @param lifetime how the application ends
   * @param waits how long the cluster is waited for
   * @param fetching how patiently tasks fetch blocks from other nodes
   * @param page whether the application master shows its jobs on a page, behind YARN's proxy; it
   *     does so when the class path has a {@link dev.anemone.runtime.event.MasterPage}
   * @param settings of Hadoop, YARN and Tez, which come before those of the configuration
   */
  record Yarn(
      Path configuration,
      List<ExecutorGroup> executors,
      int masterMemoryMb,
      Optional<String> queue,
      List<Path> classPath,
      Lifetime lifetime,
      ClusterWaits waits,
      FetchSettings fetching,
      boolean page,
      Map<String, String> settings)
      implements Deployment {

    public Yarn {
      Objects.requireNonNull(configuration, "configuration");
      executors = List.copyOf(executors);
      Objects.requireNonNull(queue, "queue");
      classPath = List.copyOf(classPath);
      Objects.requireNonNull(lifetime, "lifetime");
      Objects.requireNonNull(waits, "waits");
      Objects.requireNonNull(fetching, "fetching");
      settings = Map.copyOf(settings);
      if (executors.isEmpty()) {
        throw new IllegalArgumentException("a job needs executors, but there are none");
      }
      if (masterMemoryMb < ExecutorGroup.LEAST_MEMORY_MB) {
        throw new IllegalArgumentException(
            "the application master needs at least "
                + ExecutorGroup.LEAST_MEMORY_MB
                + " MB, not "
                + masterMemoryMb);
      }
    }
  }

  /** How an application on a cluster ends. */
  sealed interface Lifetime {

    /**
     * With its client: when the application master has not heard of it for so long. Until then the
     * application is kept for later jobs of the same client.
     */
    record Attached(Duration heartbeatTimeout) implements Lifetime {}

    /** With its job, or at the latest after the deadline; the client may go. */
    record Detached(Duration deadline) implements Lifetime {}
  }
}
