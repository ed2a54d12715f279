// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.runners.fnexecution.control.DefaultJobBundleFactory;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors.ExecutableProcessBundleDescriptor;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.RemoteEnvironment;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.fn.data.RemoteGrpcPortRead;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An SDK harness of a job, or one for each of its environments when it has several. Starts when its
 * first stage comes. Once gone, it stays so. Thread-safe.
 */
public final class Harness implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Harness.class);

  /** How long a harness that has closed its connection may take to end, and to print why. */
  private static final long SOON_MILLIS = 3000;

  private final Map<String, ReturnedData> returned = new ConcurrentHashMap<>();
  private final JobBundleFactory bundles;
  private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<String> fate = new CompletableFuture<>();
  private volatile boolean closed;

  private Harness(
      JobInfo job,
      Map<String, EnvironmentFactory.Provider> environments,
      JobArtifacts.Files files) {
    bundles =
        DefaultJobBundleFactory.create(
            job,
            environments.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        entry ->
                            new WatchedEnvironments(
                                entry.getValue(), returned::put, files, this::isGone))));
  }

  /**
   * One of a job.
   *
   * @param job must ask for one harness
   * @param environments makes environments, by their URN
   * @param files of the job, for harnesses that ask for what was staged
   */
  static Harness of(
      JobInfo job,
      Map<String, EnvironmentFactory.Provider> environments,
      JobArtifacts.Files files) {
    return new Harness(job, environments, files);
  }

  /** Begins bundles of a stage, in this harness. */
  StageBundleFactory forStage(ExecutableStage stage) {
    return bundles.forStage(stage);
  }

  /**
   * Where the data goes that bundles of a stage return.
   *
   * @throws IOException when the stage is not as Beam writes it
   */
  public ReturnedData returnedBy(ExecutableProcessBundleDescriptor stage) throws IOException {
    String input = stage.getRemoteInputDestinations().get(0).getPTransformId();
    PTransform source = stage.getProcessBundleDescriptor().getTransformsOrThrow(input);
    // Ids of bundles are those of an environment, and a harness may have several.
    return returned.get(
        RemoteGrpcPortRead.fromPTransform(source).getPort().getApiServiceDescriptor().getUrl());
  }

  private void isGone(RemoteEnvironment environment) {
    if (closed) {
      return;
    }
    String said = fateOf(environment);
    if (fate.complete(said)) {
      LOG.warn("An SDK harness {}", said);
      watchers.forEach(Runnable::run);
    }
  }

  private static String fateOf(RemoteEnvironment environment) {
    if (environment instanceof HarnessProcess process) {
      try {
        return process.fateOfClosed();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return "has closed its connection.";
  }

  /** The error of those who need a harness that is gone; empty while it is there. */
  public Optional<HarnessGoneException> failure() {
    return Optional.ofNullable(fate.getNow(null)).map(Harness::failure);
  }

  /** The same for those whose bundle has failed: of a harness that goes, they learn before this. */
  public Optional<HarnessGoneException> failureSoon() throws InterruptedException {
    try {
      return Optional.of(failure(fate.get(SOON_MILLIS, TimeUnit.MILLISECONDS)));
    } catch (TimeoutException stillThere) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody completes it so", e);
    }
  }

  private static HarnessGoneException failure(String said) {
    return new HarnessGoneException("An SDK harness went away: it " + said);
  }

  /** Somebody is told, once, when this is gone; at once if it is so already. */
  public void watch(Runnable watcher) {
    watchers.add(watcher);
    if (failure().isPresent()) {
      watcher.run();
    }
  }

  /** They are no longer told. */
  public void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  /** Ends the harness, whether or not bundles run in it. */
  @Override
  public void close() throws Exception {
    closed = true;
    bundles.close();
  }
}
