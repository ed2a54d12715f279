// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.tez.master.SlotScheduler;
import dev.anemone.runtime.tez.master.StandstillEstimator;
import java.nio.file.Path;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.tez.dag.api.HistoryLogLevel;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.dag.speculation.legacy.TaskRuntimeEstimator;

/** How Tez is set up to run inside this JVM. */
final class LocalConfiguration {

  /** Places for tasks beside the slots: aggregations, and tasks that others wait for. */
  private static final int EXTRA_TASKS = 32;

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
    if (UserGroupInformation.isSecurityEnabled()) {
      security(conf);
    }
    // Beyond this, Tez's client hands the plan on in a file, which its local master does not read;
    // there are no messages here that could be too large.
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, Integer.MAX_VALUE);
    conf.setInt(SlotScheduler.SLOTS, settings.slots());
    conf.setBoolean(SlotScheduler.AGGREGATIONS_APART, true);
    conf.setInt(
        TezConfiguration.TEZ_AM_INLINE_TASK_EXECUTION_MAX_TASKS,
        2 * settings.slots() + EXTRA_TASKS);
    conf.setBoolean(TezConfiguration.DAG_RECOVERY_ENABLED, false);
    // In this mode Tez writes its history into a file, whatever service it is given.
    conf.setEnum(TezConfiguration.TEZ_HISTORY_LOGGING_LOGLEVEL, HistoryLogLevel.NONE);
    // Inputs and outputs do next to nothing when they begin, which takes no thread for each.
    conf.setBoolean(TezConfiguration.TEZ_TASK_INITIALIZE_PROCESSOR_IO_SERIALLY, true);
    conf.setInt(TezConfiguration.TEZ_SESSION_AM_DAG_SUBMIT_TIMEOUT_SECS, -1);
    conf.setLong(TezConfiguration.TEZ_AM_SLEEP_TIME_BEFORE_EXIT_MILLIS, 0);
    conf.setInt(TezConfiguration.TEZ_TASK_GET_TASK_SLEEP_INTERVAL_MS_MAX, 5);
    conf.setInt(TezConfiguration.TEZ_TASK_AM_HEARTBEAT_INTERVAL_MS, 10);
    conf.setInt(TezConfiguration.TEZ_TASK_AM_HEARTBEAT_COUNTER_INTERVAL_MS, 1000);
    conf.setLong(TezConfiguration.TEZ_DAG_STATUS_POLLINTERVAL_MS, 10);
    conf.setDouble(
        TezConfiguration.TEZ_AM_LEGACY_SPECULATIVE_SLOWTASK_THRESHOLD,
        settings.slowTaskThreshold());
    conf.setClass(
        TezConfiguration.TEZ_AM_TASK_ESTIMATOR_CLASS,
        StandstillEstimator.class,
        TaskRuntimeEstimator.class);
    return conf;
  }

  /**
   * Tez makes the session's configuration that of Hadoop's logins in all of this JVM, so what is
   * set for these has to stay.
   */
  private static void security(TezConfiguration conf) {
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    if (KerberosName.hasRulesBeenSet()) {
      conf.set(
          CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTH_TO_LOCAL, KerberosName.getRules());
    }
    // Tez wants to know who renews tokens, also where there are none.
    conf.set(YarnConfiguration.RM_PRINCIPAL, "nobody");
  }
}
