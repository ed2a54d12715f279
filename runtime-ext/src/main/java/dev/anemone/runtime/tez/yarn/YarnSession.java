// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.tez.backend.TezSession;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.tez.client.TezAppMasterStatus;
import org.apache.tez.client.TezClient;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Tez session on YARN: an application that runs the jobs of this client one after the other, and
 * ends when it has not heard of the client for some time. Not thread-safe but for {@link #kill}.
 */
final class YarnSession extends ApplicationClient {

  private static final Logger LOG = LoggerFactory.getLogger(YarnSession.class);

  private final Duration stopTimeout;

  private YarnSession(
      YarnSessions.Application application, TezClient client, Duration stopTimeout) {
    super(application, client);
    this.stopTimeout = stopTimeout;
  }

  /**
   * Starts an application and waits until its master is there.
   *
   * @param application what it is started with
   * @throws IOException when the cluster does not start it in time, or it ends at once
   */
  static YarnSession start(
      String name, YarnSessions.Application application, Deployment.Yarn deployment)
      throws IOException, InterruptedException {
    TezClient client =
        TezClient.create(
            name,
            application.configuration(),
            true,
            application.classPath().resources(),
            application.credentials());
    YarnSession session = new YarnSession(application, client, deployment.waits().stop());
    Duration timeout = deployment.waits().start();
    try {
      client.start();
      if (!client.waitTillReady(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "YARN has not started application "
                + client.getAppMasterApplicationId()
                + " within "
                + timeout.toSeconds()
                + " s. Is there room for a container of "
                + deployment.masterMemoryMb()
                + " MB"
                + deployment.queue().map(queue -> " in queue " + queue).orElse("")
                + "?");
      }
      return session;
    } catch (TezException e) {
      session.abandon(e);
      throw new IOException(
          "the application master did not start: "
              + e.getMessage()
              + session.queues(deployment)
              + session.seeLog(),
          e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      session.abandon(e);
      throw e;
    }
  }

  /**
   * The queues that there are, where the user has named one: a cluster may make queues as they are
   * named, so that only its refusal says that one is wrong.
   */
  private String queues(Deployment.Yarn deployment) {
    if (deployment.queue().isEmpty()) {
      return "";
    }
    String named = "; queue " + deployment.queue().get() + " was asked for, ";
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(application.configuration());
      yarn.start();
      return named
          + "and the cluster has "
          + yarn.getAllQueues().stream()
              .map(QueueInfo::getQueueName)
              .sorted()
              .collect(Collectors.joining(", "));
    } catch (YarnException | IOException e) {
      return named + "and the cluster does not say which it has: " + e.getMessage();
    }
  }

  private String seeLog() {
    return TezSession.logCommand(applicationId())
        .map(command -> "; its log: " + command)
        .orElse("");
  }

  /** Stops a session that did not start because of {@code cause}. */
  private void abandon(Exception cause) {
    try {
      stop();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Whether the application takes another job. One that has lost its master does not: YARN counts
   * how often it may.
   */
  boolean isReady() {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      if (client.getAppMasterStatus() != TezAppMasterStatus.READY) {
        return false;
      }
      yarn.init(application.configuration());
      yarn.start();
      return yarn.getApplicationReport(client.getAppMasterApplicationId())
              .getCurrentApplicationAttemptId()
              .getAttemptId()
          == 1;
    } catch (TezException | YarnException | IOException e) {
      return false; // whatever is the matter, another session is better
    }
  }

  /** The application's own directory on the cluster, which its master deletes when it ends. */
  Path stagingDirectory() {
    return TezCommonUtils.getTezSystemStagingPath(
        application.configuration(), applicationId().orElseThrow());
  }

  @Override
  public DAGClient submit(DAG dag) throws IOException {
    try {
      return client.submitDAG(application.prepared(dag));
    } catch (TezException e) {
      throw new IOException("Tez did not accept the job: " + e.getMessage(), e);
    }
  }

  /** Waits for a cluster that gives no answer only so long; the application ends by itself then. */
  @Override
  public void stop() throws IOException {
    try (BoundedCalls calls = new BoundedCalls("anemone-stop", 1, stopTimeout)) {
      calls.call(
          () -> {
            client.stop();
            return null;
          });
    } catch (TimeoutException e) {
      LOG.warn(
          "Application {} did not end within {} s, and is left to itself: it ends when it has not"
              + " heard of this program for some time",
          applicationId().orElse(""),
          stopTimeout.toSeconds());
    }
  }
}
