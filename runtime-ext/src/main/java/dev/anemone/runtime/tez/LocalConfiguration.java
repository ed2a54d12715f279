package dev.anemone.runtime.tez;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.history.logging.impl.DevNullHistoryLoggingService;
import org.apache.tez.runtime.library.api.TezRuntimeConfiguration;

/** How Tez is set up to run inside this JVM. */
final class LocalConfiguration {

  private static final long MEGABYTE = 1 << 20;

  /** The part of the heap that the buffers of one task's outputs may take, divided by the slots. */
  private static final double BUFFER_SHARE = 0.15;

  private LocalConfiguration() {}

  /**
   * Settings of a session. What Tez polls, it polls often, as a poll is a method call here: with
   * the defaults, which are made for networks, waiting would dominate small jobs.
   */
  static TezConfiguration ofSession(LocalSession.Settings settings, Path directory) {
    TezConfiguration conf = new TezConfiguration();
    conf.setBoolean(TezConfiguration.TEZ_LOCAL_MODE, true);
    conf.setBoolean(TezConfiguration.TEZ_LOCAL_MODE_WITHOUT_NETWORK, true);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "file:///");
    conf.set(TezConfiguration.TEZ_AM_STAGING_DIR, directory.resolve("staging").toUri().toString());
    conf.set(TezConfiguration.TEZ_LOCAL_CACHE_ROOT_FOLDER, directory.resolve("cache").toString());
    conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    conf.setInt(TezConfiguration.TEZ_AM_INLINE_TASK_EXECUTION_MAX_TASKS, settings.slots());
    conf.setBoolean(TezConfiguration.DAG_RECOVERY_ENABLED, false);
    conf.set(
        TezConfiguration.TEZ_HISTORY_LOGGING_SERVICE_CLASS,
        DevNullHistoryLoggingService.class.getName());
    conf.setInt(TezConfiguration.TEZ_SESSION_AM_DAG_SUBMIT_TIMEOUT_SECS, -1);
    conf.setLong(TezConfiguration.TEZ_AM_SLEEP_TIME_BEFORE_EXIT_MILLIS, 0);
    conf.setInt(TezConfiguration.TEZ_TASK_GET_TASK_SLEEP_INTERVAL_MS_MAX, 5);
    conf.setInt(TezConfiguration.TEZ_TASK_AM_HEARTBEAT_INTERVAL_MS, 10);
    conf.setInt(TezConfiguration.TEZ_TASK_AM_HEARTBEAT_COUNTER_INTERVAL_MS, 1000);
    conf.setLong(TezConfiguration.TEZ_DAG_STATUS_POLLINTERVAL_MS, 10);
    conf.setDouble(
        TezConfiguration.TEZ_AM_LEGACY_SPECULATIVE_SLOWTASK_THRESHOLD,
        settings.slowTaskThreshold());
    return conf;
  }

  /** Settings of the inputs and outputs of tasks. */
  static Configuration ofEdges(LocalSession.Settings settings) {
    Configuration conf = new Configuration(false);
    long perTask = (long) (Runtime.getRuntime().maxMemory() * BUFFER_SHARE / settings.slots());
    int bufferMb = (int) Math.max(8, Math.min(256, perTask / MEGABYTE));
    conf.setInt(TezRuntimeConfiguration.TEZ_RUNTIME_IO_SORT_MB, bufferMb);
    conf.setBoolean(
        TezRuntimeConfiguration.TEZ_RUNTIME_PIPELINED_SORTER_LAZY_ALLOCATE_MEMORY, true);
    conf.setInt(TezRuntimeConfiguration.TEZ_RUNTIME_UNORDERED_OUTPUT_BUFFER_SIZE_MB, bufferMb);
    conf.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_OPTIMIZE_LOCAL_FETCH, true);
    conf.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_TRANSFER_DATA_VIA_EVENTS_ENABLED, true);
    return conf;
  }
}
