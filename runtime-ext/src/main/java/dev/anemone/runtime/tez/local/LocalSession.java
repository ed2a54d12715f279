// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.tez.backend.TezSession;
import dev.anemone.runtime.tez.job.HadoopUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;

/**
 * A Tez session in this JVM. It runs one DAG at a time, and is kept for later ones. Not
 * thread-safe.
 */
final class LocalSession implements TezSession {

  /** Threads of this JVM start at once; what takes longer hangs, so that this is no option. */
  static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  /**
   * To Tez its files have to be those of its user, and there is nobody here whom it could reach by
   * another one's login.
   */
  private final HadoopUser user = HadoopUser.ofProcess();

  private final Settings settings;
  private final Path directory;
  private final LocalTezClient client;

  private LocalSession(Settings settings, Path directory, LocalTezClient client) {
    this.settings = settings;
    this.directory = directory;
    this.client = client;
  }

  /**
   * What a session is started with and cannot change.
   *
   * @param slots tasks that run at once
   * @param slowTaskThreshold see {@link dev.anemone.ir.property.ClonedScheduling}
   */
  record Settings(int slots, double slowTaskThreshold) {}

  /**
   * Starts a session.
   *
   * @param directory a local directory of its own, which must exist
   */
  static LocalSession start(Settings settings, Path directory)
      throws IOException, InterruptedException {
    TezConfiguration configuration = LocalConfiguration.ofSession(settings, directory);
    Files.createDirectories(
        Path.of(configuration.get(TezConfiguration.TEZ_LOCAL_CACHE_ROOT_FOLDER)));
    LocalTezClient client = new LocalTezClient("anemone", configuration);
    LocalSession session = new LocalSession(settings, directory, client);
    try {
      session.user.<Void, TezException>call(
          () -> {
            client.start();
            client.waitTillReady(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return null;
          });
    } catch (TezException e) {
      session.abandon(e);
      throw new IOException(
          "the Tez session did not start within " + START_TIMEOUT.toSeconds() + " s", e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      session.abandon(e);
      throw e;
    }
    return session;
  }

  /** Stops a session that did not start because of {@code cause}. */
  private void abandon(Exception cause) {
    try {
      stop();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  Settings settings() {
    return settings;
  }

  @Override
  public DAGClient submit(DAG dag) throws IOException, InterruptedException {
    try {
      return user.<DAGClient, TezException>call(() -> client.submitDAG(dag));
    } catch (TezException e) {
      throw new IOException("Tez did not accept the job", e);
    }
  }

  @Override
  public void kill(DAGClient dag) throws IOException {
    try {
      client.kill(dag.getDagIdentifierString());
    } catch (TezException e) {
      throw new IOException("Tez did not end " + dag.getDagIdentifierString(), e);
    }
  }

  /**
   * Deletes what the tasks of a DAG left on disk. Tez names what it writes after task attempts,
   * whose names contain the number of the DAG.
   */
  @Override
  public void ended(DAGClient dag) throws IOException {
    String attempts = dag.getDagIdentifierString().replaceFirst("^dag_", "attempt_") + "_";
    FileTrees.deleteNamed(directory, attempts);
  }

  @Override
  public Optional<String> applicationId() {
    return Optional.empty();
  }

  @Override
  public void stop() throws IOException {
    try {
      client.stop();
    } catch (TezException e) {
      throw new IOException("cannot stop a Tez session", e);
    } finally {
      FileTrees.delete(directory);
    }
  }
}
