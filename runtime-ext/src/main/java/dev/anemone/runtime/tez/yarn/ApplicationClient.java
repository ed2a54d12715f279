// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.tez.backend.TezSession;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;

/** The client of an application on YARN that runs jobs. Not thread-safe but for {@link #kill}. */
abstract class ApplicationClient implements TezSession {

  final YarnSessions.Application application;
  final TezClient client;

  ApplicationClient(YarnSessions.Application application, TezClient client) {
    this.application = application;
    this.client = client;
  }

  @Override
  public final void kill(DAGClient dag) throws IOException {
    try {
      dag.tryKillDAG();
    } catch (TezException e) {
      throw new IOException("Tez did not end " + dag.getDagIdentifierString(), e);
    }
  }

  /** Blocks go with the application, or the next job's containers delete them. */
  @Override
  public final void ended(DAGClient dag) {}

  @Override
  public final Optional<String> applicationId() {
    return Optional.ofNullable(client.getAppMasterApplicationId()).map(ApplicationId::toString);
  }
}
