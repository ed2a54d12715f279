// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.tez.history.LocalHistory;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.tez.dag.api.NamedEntityDescriptor;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.records.DAGProtos.AMPluginDescriptorProto;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.LocalDAGAppMaster;
import org.apache.tez.dag.app.launcher.ContainerLauncherManager;
import org.apache.tez.dag.history.HistoryEventHandler;
import org.apache.tez.serviceplugins.api.ContainerLauncherDescriptor;

/**
 * The application master of the local mode, whose containers are threads, see {@link
 * ThreadLauncher}.
 */
final class LocalAppMaster extends LocalDAGAppMaster {

  /** The master that makes its launcher on this thread; Tez makes launchers by reflection. */
  private static final ThreadLocal<LocalAppMaster> STARTING = new ThreadLocal<>();

  private final String workingDirectory;

  LocalAppMaster(
      ApplicationAttemptId applicationAttemptId,
      ContainerId containerId,
      String host,
      int nodeManagerPort,
      int nodeManagerHttpPort,
      Clock clock,
      long submitTime,
      boolean isSession,
      String workingDirectory,
      String[] localDirectories,
      String[] logDirectories,
      String clientVersion,
      Credentials credentials,
      String user,
      AMPluginDescriptorProto plugins) {
    super(
        applicationAttemptId,
        containerId,
        host,
        nodeManagerPort,
        nodeManagerHttpPort,
        clock,
        submitTime,
        isSession,
        workingDirectory,
        localDirectories,
        logDirectories,
        clientVersion,
        credentials,
        user,
        plugins);
    this.workingDirectory = workingDirectory;
  }

  /** The master whose launcher is being made on this thread. */
  static LocalAppMaster starting() {
    LocalAppMaster master = STARTING.get();
    if (master == null) {
      throw new IllegalStateException("only a starting application master makes a launcher");
    }
    return master;
  }

  String workingDirectory() {
    return workingDirectory;
  }

  @Override
  protected HistoryEventHandler createHistoryEventHandler(AppContext context) {
    return new LocalHistory(context);
  }

  @Override
  @SuppressWarnings("rawtypes") // Tez declares it so
  protected ContainerLauncherManager createContainerLauncherManager(
      List<NamedEntityDescriptor> descriptors, boolean isLocal)
      throws UnknownHostException, TezException {
    STARTING.set(this);
    try {
      return super.createContainerLauncherManager(
          List.of(ContainerLauncherDescriptor.create("threads", ThreadLauncher.class.getName())),
          isLocal);
    } finally {
      STARTING.remove();
    }
  }
}
