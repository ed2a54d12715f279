// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.tez.master.SlotScheduler;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.tez.client.FrameworkClient;
import org.apache.tez.client.LocalClient;
import org.apache.tez.client.TezApiVersionInfo;
import org.apache.tez.client.TezClient;
import org.apache.tez.common.TezUtilsInternal;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClientHandler;
import org.apache.tez.dag.app.DAGAppMaster;

/**
 * A Tez client whose application master runs in this JVM without a network. Tez's own client cannot
 * end a DAG in that mode, as it would ask for it by a remote call; this one asks the application
 * master itself.
 */
final class LocalTezClient extends TezClient {

  private volatile DAGAppMaster appMaster;

  LocalTezClient(String name, TezConfiguration configuration) {
    super(name, configuration, true, Map.of(), null);
  }

  /** Asks for the end of a DAG; does nothing when it has ended. */
  void kill(String dagId) throws TezException {
    new DAGClientHandler(appMaster).tryKillDAG(dagId);
  }

  @Override
  protected FrameworkClient createFrameworkClient() {
    return new InProcessClient();
  }

  private final class InProcessClient extends LocalClient {

    @Override
    public void init(TezConfiguration configuration) {
      super.init(configuration);
      // Tez's local client decides this itself, whatever was configured.
      configuration.set(TezConfiguration.TEZ_AM_DAG_SCHEDULER_CLASS, SlotScheduler.class.getName());
    }

    @Override
    protected DAGAppMaster createDAGAppMaster(
        ApplicationAttemptId applicationAttemptId,
        ContainerId containerId,
        String currentHost,
        int nodeManagerPort,
        int nodeManagerHttpPort,
        Clock clock,
        long submitTime,
        boolean isSession,
        String userDirectory,
        String[] localDirectories,
        String[] logDirectories,
        Credentials credentials,
        String jobUserName)
        throws IOException {
      appMaster =
          new LocalAppMaster(
              applicationAttemptId,
              containerId,
              currentHost,
              nodeManagerPort,
              nodeManagerHttpPort,
              clock,
              submitTime,
              isSession,
              userDirectory,
              localDirectories,
              logDirectories,
              new TezApiVersionInfo().getVersion(),
              credentials,
              jobUserName,
              TezUtilsInternal.readUserSpecifiedTezConfiguration(userDirectory)
                  .getAmPluginDescriptor());
      return appMaster;
    }
  }
}
