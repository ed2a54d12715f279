// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.Deployment.Lifetime.Attached;
import dev.anemone.runtime.tez.container.ContainerSizes;
import dev.anemone.runtime.tez.history.MasterHistory;
import dev.anemone.runtime.tez.job.FetchConfiguration;
import dev.anemone.runtime.tez.master.SlotScheduler;
import dev.anemone.runtime.tez.master.StandstillEstimator;
import dev.anemone.runtime.tez.placement.PlacedTaskScheduler;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.dag.speculation.legacy.TaskRuntimeEstimator;
import org.apache.tez.dag.app.rm.RenewingTaskScheduler;

/** How Tez is set up to run on a cluster. */
final class ApplicationConfiguration {

  private static final int HELD_CONTAINERS = 2;
  private static final String MASTER_ATTEMPTS = "4";
  private static final String BLAMING = "0.25";

  /** What attempts count comes with a heartbeat after so long, in ms. */
  private static final String COUNTED_MILLIS = "1000";

  private static final String MOST_COUNTERS = "10000";
  private static final String LONGEST_COUNTER = "1000";

  private static final String REPLACE_DATA_NODES =
      "dfs.client.block.write.replace-datanode-on-failure.";

  private ApplicationConfiguration() {}

  /**
   * Settings of an application. What the user has set for the cluster or the deployment comes
   * before what is only a better default; what the engine depends on is set in any case.
   *
   * @param cluster the cluster's configuration with the deployment's settings
   * @param slots tasks that run at once
   * @param slowTaskThreshold see {@link dev.anemone.ir.property.ClonedScheduling}
   * @param master sizes of the application master's container
   * @param task sizes of a task's
   */
  static TezConfiguration of(
      Configuration cluster,
      Deployment.Yarn deployment,
      ShippedClassPath classPath,
      Path staging,
      int slots,
      double slowTaskThreshold,
      ContainerSizes master,
      ContainerSizes task) {
    TezConfiguration conf = new TezConfiguration(cluster);
    conf.set(TezConfiguration.TEZ_AM_STAGING_DIR, staging.toString());
    // All that containers need comes with the job, whatever is installed on the nodes.
    conf.setBoolean(TezConfiguration.TEZ_IGNORE_LIB_URIS, true);
    conf.setBoolean(TezConfiguration.TEZ_USE_CLUSTER_HADOOP_LIBS, false);
    conf.set(
        TezConfiguration.TEZ_CLUSTER_ADDITIONAL_CLASSPATH_PREFIX,
        classPath.entries().stream()
            .map(entry -> "$PWD/" + entry)
            .collect(Collectors.joining(":")));
    conf.setInt(TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB, master.memoryMb());
    conf.setInt(TezConfiguration.TEZ_AM_RESOURCE_CPU_VCORES, master.cores());
    conf.set(TezConfiguration.TEZ_AM_LAUNCH_CMD_OPTS, String.join(" ", master.jvmOptions()));
    conf.setInt(TezConfiguration.TEZ_TASK_RESOURCE_MEMORY_MB, task.memoryMb());
    conf.setInt(TezConfiguration.TEZ_TASK_RESOURCE_CPU_VCORES, task.cores());
    conf.set(TezConfiguration.TEZ_TASK_LAUNCH_CMD_OPTS, String.join(" ", task.jvmOptions()));
    deployment.queue().ifPresent(queue -> conf.set(TezConfiguration.TEZ_QUEUE_NAME, queue));
    conf.set(TezConfiguration.TEZ_AM_DAG_SCHEDULER_CLASS, SlotScheduler.class.getName());
    conf.setInt(SlotScheduler.SLOTS, slots);
    conf.setDouble(
        TezConfiguration.TEZ_AM_LEGACY_SPECULATIVE_SLOWTASK_THRESHOLD, slowTaskThreshold);
    conf.setClass(
        TezConfiguration.TEZ_AM_TASK_ESTIMATOR_CLASS,
        StandstillEstimator.class,
        TaskRuntimeEstimator.class);
    boolean placed = deployment.executors().stream().anyMatch(group -> !group.nodes().isEmpty());
    conf.set(
        TezConfiguration.TEZ_AM_YARN_SCHEDULER_CLASS,
        (placed ? PlacedTaskScheduler.class : RenewingTaskScheduler.class).getName());
    lifetime(conf, deployment.lifetime());
    fetching(conf, deployment.fetching());
    waits(conf, deployment.waits());
    defaults(conf);
    if (deployment.page()) {
      MasterHistory.show(conf);
    }
    recoveryFiles(conf);
    return conf;
  }

  /**
   * The master keeps a file open as long as the session lives, and another one as long as a job,
   * from which its next attempt goes on. By HDFS's defaults, such a file loses a replica with each
   * data node that writes it and is lost, down to one, or to an error, where few nodes are left.
   */
  private static void recoveryFiles(TezConfiguration conf) {
    setUnlessGiven(conf, REPLACE_DATA_NODES + "policy", "ALWAYS");
    setUnlessGiven(conf, REPLACE_DATA_NODES + "best-effort", "true");
  }

  private static void setUnlessGiven(TezConfiguration conf, String name, String value) {
    String[] sources = conf.getPropertySources(name);
    if (sources == null || sources[sources.length - 1].endsWith("-default.xml")) {
      conf.set(name, value);
    }
  }

  private static void lifetime(TezConfiguration conf, Deployment.Lifetime lifetime) {
    if (lifetime instanceof Attached attached) {
      conf.setIfUnset(
          TezConfiguration.TEZ_AM_CLIENT_HEARTBEAT_TIMEOUT_SECS,
          Long.toString(attached.heartbeatTimeout().toSeconds()));
      // The client says when the session ends; it may wait for its user between two jobs.
      conf.setInt(TezConfiguration.TEZ_SESSION_AM_DAG_SUBMIT_TIMEOUT_SECS, -1);
    }
  }

  /**
   * When what a producer wrote is made again since consumers do not reach its node: when more than
   * a quarter of those that run say so, or ten; or when they run on more than a quarter of the
   * nodes; or when one says so once more after the penalty. So one is believed at once where no
   * more than three run, which may be all that want the block.
   */
  private static void fetching(TezConfiguration conf, FetchSettings settings) {
    FetchConfiguration.write(settings, conf);
    conf.setIfUnset(TezConfiguration.TEZ_TASK_MAX_ALLOWED_OUTPUT_FAILURES_FRACTION, BLAMING);
    conf.setIfUnset(TezConfiguration.TEZ_AM_MAX_ALLOWED_DOWNSTREAM_HOST_FAILURES_FRACTION, BLAMING);
    conf.setIfUnset(
        TezConfiguration.TEZ_AM_MAX_ALLOWED_TIME_FOR_TASK_READ_ERROR_SEC,
        Long.toString(Math.max(1, settings.penalty().toSeconds())));
  }

  /** Idle containers are kept for the next job of the session; Tez lets go of them one by one. */
  private static void waits(TezConfiguration conf, ClusterWaits waits) {
    long idleMillis = waits.idleExecutor().toMillis();
    conf.setIfUnset(
        TezConfiguration.TEZ_AM_CONTAINER_IDLE_RELEASE_TIMEOUT_MIN_MILLIS,
        Long.toString(idleMillis));
    conf.setIfUnset(
        TezConfiguration.TEZ_AM_CONTAINER_IDLE_RELEASE_TIMEOUT_MAX_MILLIS,
        Long.toString(2 * idleMillis));
    conf.setIfUnset(RenewingTaskScheduler.ROOM_PATIENCE_MS, Long.toString(waits.room().toMillis()));
    conf.setIfUnset(PlacedTaskScheduler.PATIENCE_MS, Long.toString(waits.hosts().toMillis()));
  }

  /** What is made for clusters of thousands of nodes waits too long on small ones. */
  private static void defaults(TezConfiguration conf) {
    conf.setBooleanIfUnset(TezConfiguration.DAG_RECOVERY_ENABLED, true);
    // As often as YARN allows it at most; a session may lose its master in several of its jobs.
    conf.setIfUnset(TezConfiguration.TEZ_AM_MAX_APP_ATTEMPTS, MASTER_ATTEMPTS);
    conf.setIfUnset(
        TezConfiguration.TEZ_HISTORY_LOGGING_SERVICE_CLASS, MasterHistory.class.getName());
    conf.setBoolean(YarnConfiguration.TIMELINE_SERVICE_ENABLED, false);
    // The master's web pages are for Tez's own UI, and would need a web server on the class path.
    conf.setBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, false);
    conf.setIfUnset(
        TezConfiguration.TEZ_AM_SESSION_MIN_HELD_CONTAINERS, Integer.toString(HELD_CONTAINERS));
    conf.setIfUnset(TezConfiguration.TEZ_AM_RM_HEARTBEAT_INTERVAL_MS_MAX, "250");
    conf.setIfUnset(TezConfiguration.TEZ_TASK_GET_TASK_SLEEP_INTERVAL_MS_MAX, "50");
    conf.setIfUnset(TezConfiguration.TEZ_DAG_STATUS_POLLINTERVAL_MS, "100");
    // A lost container is known by YARN at once; these are for one that hangs.
    conf.setIfUnset(TezConfiguration.TEZ_TASK_AM_HEARTBEAT_COUNTER_INTERVAL_MS, COUNTED_MILLIS);
    // What steps count is as long as their names are, and there may be many steps.
    conf.setIfUnset(TezConfiguration.TEZ_COUNTERS_MAX, MOST_COUNTERS);
    conf.setIfUnset(TezConfiguration.TEZ_COUNTERS_COUNTER_NAME_MAX_LENGTH, LONGEST_COUNTER);
    conf.setIfUnset(TezConfiguration.TASK_HEARTBEAT_TIMEOUT_MS, "60000");
    conf.setIfUnset(TezConfiguration.TASK_HEARTBEAT_TIMEOUT_CHECK_MS, "5000");
  }
}
