// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptReport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** A YARN application of one container, which runs a shell command and is no real master. */
final class RawApplication implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private final YarnClient client = YarnClient.createYarnClient();
  private final ApplicationId id;

  /** Submits a command. */
  RawApplication(Path configurationDirectory, int memoryMb, int attempts, String command)
      throws IOException, YarnException {
    client.init(clientConfiguration(configurationDirectory));
    client.start();
    ApplicationSubmissionContext context =
        client.createApplication().getApplicationSubmissionContext();
    context.setApplicationName("raw");
    context.setResource(Resource.newInstance(memoryMb, 1));
    context.setMaxAppAttempts(attempts);
    context.setAMContainerSpec(
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(command), null, null, null));
    id = client.submitApplication(context);
  }

  /** What a client knows that has nothing but the configuration directory. */
  static YarnConfiguration clientConfiguration(Path directory) {
    YarnConfiguration configuration = new YarnConfiguration();
    for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      configuration.addResource(new org.apache.hadoop.fs.Path(directory.resolve(file).toUri()));
    }
    return configuration;
  }

  ApplicationId id() {
    return id;
  }

  /** Waits until an attempt has a container with a process. */
  String awaitContainer(int attempt, LocalCluster cluster) {
    Waiting.until(
        () -> container(attempt).flatMap(cluster::container).isPresent(),
        DEADLINE,
        () -> "attempt " + attempt + " does not run: " + report().getDiagnostics());
    return container(attempt).orElseThrow();
  }

  private Optional<String> container(int attempt) {
    return attempts().stream()
        .filter(report -> report.getApplicationAttemptId().getAttemptId() == attempt)
        .map(ApplicationAttemptReport::getAMContainerId)
        .filter(Objects::nonNull)
        .map(ContainerId::toString)
        .findFirst();
  }

  /** Waits until it has ended, and says what YARN says of its failure. */
  String awaitFailure() {
    Waiting.until(
        () -> report().getYarnApplicationState() == YarnApplicationState.FAILED,
        DEADLINE,
        () -> "the application does not fail: " + report());
    return report().getDiagnostics();
  }

  /** Waits until YARN says this of one of the attempts. */
  void awaitDiagnostics(String text) {
    Waiting.until(
        () -> attempts().stream().anyMatch(attempt -> attempt.getDiagnostics().contains(text)),
        DEADLINE,
        () -> "no attempt with " + text + ": " + attempts());
  }

  private List<ApplicationAttemptReport> attempts() {
    try {
      return client.getApplicationAttempts(id);
    } catch (IOException | YarnException e) {
      throw new IllegalStateException(e);
    }
  }

  private ApplicationReport report() {
    try {
      return client.getApplicationReport(id);
    } catch (IOException | YarnException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException, YarnException {
    client.killApplication(id);
    client.stop();
  }
}
