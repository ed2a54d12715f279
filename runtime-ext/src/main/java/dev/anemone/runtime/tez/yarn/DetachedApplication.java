// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationTimeoutsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;

/**
 * An application for one job, which goes on without its client. YARN ends it at the deadline, if it
 * has not ended before. Not thread-safe but for {@link #kill}.
 */
final class DetachedApplication extends ApplicationClient {

  private final Duration deadline;

  /**
   * An application that starts with its job.
   *
   * @param name of the application, by which its job is found again
   */
  DetachedApplication(String name, YarnSessions.Application application, Duration deadline) {
    super(
        application,
        TezClient.create(
            name,
            application.configuration(),
            false,
            application.classPath().resources(),
            application.credentials()));
    this.deadline = deadline;
  }

  @Override
  public DAGClient submit(DAG dag) throws IOException {
    try {
      client.start();
      DAGClient running = client.submitDAG(application.prepared(dag));
      limitLifetime(client.getAppMasterApplicationId());
      return running;
    } catch (TezException e) {
      throw new IOException("the application did not start: " + e.getMessage(), e);
    }
  }

  private void limitLifetime(ApplicationId id) throws IOException {
    String end =
        DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ")
            .format(ZonedDateTime.ofInstant(Instant.now().plus(deadline), ZoneOffset.UTC));
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(application.configuration());
      yarn.start();
      yarn.updateApplicationTimeouts(
          UpdateApplicationTimeoutsRequest.newInstance(
              id, Map.of(ApplicationTimeoutType.LIFETIME, end)));
    } catch (YarnException e) {
      throw new IOException("YARN does not limit the lifetime of " + id + " to " + end, e);
    }
  }

  /** Lets go of the application, which goes on. */
  @Override
  public void stop() throws IOException {
    try {
      client.stop();
    } catch (TezException e) {
      throw new IOException("cannot let go of application " + applicationId(), e);
    }
  }
}
