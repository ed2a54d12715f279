// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import dev.anemone.ndp.protocol.SharedSecret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * What a client waits for and takes.
 *
 * @param connectTimeout how long connecting may take
 * @param patience how long a proxy may be silent in the middle of an answer
 * @param deadline how long all of an answer may take, with its time in the queue
 * @param maxAnswerBytes largest answer
 * @param holdBackBytes answers up to this size are held in memory until they are known to be whole
 * @param spillDirectory where larger answers are held back, in a file that goes with the answer;
 *     without it, their rows are handed out while they arrive
 * @param secret that proxies ask for
 * @param tls by which the certificates of proxies are checked; without it they speak HTTP
 */
public record ClientOptions(
    Duration connectTimeout,
    Duration patience,
    Duration deadline,
    long maxAnswerBytes,
    int holdBackBytes,
    Optional<Path> spillDirectory,
    Optional<SharedSecret> secret,
    Optional<SSLContext> tls) {

  public ClientOptions {
    Objects.requireNonNull(spillDirectory, "spillDirectory");
    Objects.requireNonNull(secret, "secret");
    Objects.requireNonNull(tls, "tls");
    for (Duration time : new Duration[] {connectTimeout, patience, deadline}) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("a client's times must be positive, one was " + time);
      }
    }
    if (maxAnswerBytes < 1 || holdBackBytes < 0) {
      throw new IllegalArgumentException(
          "a client takes answers of at least a byte, was told to take "
              + maxAnswerBytes
              + " and to hold back "
              + holdBackBytes);
    }
  }

  /** Some seconds to connect, a minute of silence, ten in all; 8 MB are held in memory. */
  public static ClientOptions defaults() {
    return new ClientOptions(
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        16L << 30,
        8 << 20,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same with a directory for answers that are held back. */
  public ClientOptions withSpillDirectory(Path directory) {
    return new ClientOptions(
        connectTimeout,
        patience,
        deadline,
        maxAnswerBytes,
        holdBackBytes,
        Optional.of(directory),
        secret,
        tls);
  }

  /** The same for answers that take no longer than this, with all waiting. */
  public ClientOptions within(Duration time) {
    return new ClientOptions(
        shorter(connectTimeout, time),
        shorter(patience, time),
        shorter(deadline, time),
        maxAnswerBytes,
        holdBackBytes,
        spillDirectory,
        secret,
        tls);
  }

  /** The same for answers that may take so long, with all waiting, and no longer. */
  public ClientOptions withDeadline(Duration time) {
    return new ClientOptions(
        shorter(connectTimeout, time),
        shorter(patience, time),
        time,
        maxAnswerBytes,
        holdBackBytes,
        spillDirectory,
        secret,
        tls);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** The same with a secret. */
  public ClientOptions withSecret(SharedSecret newSecret) {
    return new ClientOptions(
        connectTimeout,
        patience,
        deadline,
        maxAnswerBytes,
        holdBackBytes,
        spillDirectory,
        Optional.of(newSecret),
        tls);
  }

  /** The same for proxies that speak HTTPS. */
  public ClientOptions withTls(SSLContext context) {
    return new ClientOptions(
        connectTimeout,
        patience,
        deadline,
        maxAnswerBytes,
        holdBackBytes,
        spillDirectory,
        secret,
        Optional.of(context));
  }
}
