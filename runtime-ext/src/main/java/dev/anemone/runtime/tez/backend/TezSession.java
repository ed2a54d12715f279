// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import java.io.IOException;
import java.util.Optional;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.client.DAGClient;

/** A Tez session, which runs one DAG at a time. Not thread-safe but for {@link #kill}. */
public interface TezSession {

  /** Starts a DAG. */
  DAGClient submit(DAG dag) throws IOException, InterruptedException;

  /** Asks for the end of a DAG; does nothing when it has ended. Thread-safe. */
  void kill(DAGClient dag) throws IOException;

  /** The DAG has ended, and nothing that its tasks left is needed any more. */
  void ended(DAGClient dag) throws IOException;

  /** The id of the session's application on a cluster; empty when it runs in this JVM. */
  Optional<String> applicationId();

  /** The command that shows what the containers of an application have logged. */
  static Optional<String> logCommand(Optional<String> applicationId) {
    return applicationId.map(id -> "yarn logs -applicationId " + id);
  }

  /** Ends the session, and deletes what it has left. */
  void stop() throws IOException;
}
