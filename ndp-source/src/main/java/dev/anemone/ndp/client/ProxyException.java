// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;

/** A proxy has not answered a plan. The caller can always read the bytes and run it itself. */
public final class ProxyException extends IOException {

  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final int queued;
  private final Duration retryAfter;

  /** Why. */
  public enum Kind {
    /** It has no room now; another time it may. */
    BUSY,
    /**
     * It does not do this: the plan or its address is wrong, the token is missing, or HDFS does not
     * let the caller read the file. Asking again does not help.
     */
    REFUSED,
    /** The plan failed there: the data is not what the table says, or a limit was reached. */
    FAILED,
    /** Nobody is there. */
    UNREACHABLE,
    /** It has said nothing for too long, or all of it takes too long. */
    LATE,
    /** Some of an answer came, or not as it was sent. */
    BROKEN_OFF
  }

  ProxyException(Kind kind, String message, Throwable cause) {
    this(kind, message, 0, Duration.ZERO, cause);
  }

  private ProxyException(
      Kind kind, String message, int queued, Duration retryAfter, Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.queued = queued;
    this.retryAfter = retryAfter;
  }

  static ProxyException busy(String message, int queued, Duration retryAfter) {
    return new ProxyException(Kind.BUSY, message, queued, retryAfter, null);
  }

  static ProxyException brokenOff(String message) {
    return new ProxyException(Kind.BROKEN_OFF, message, null);
  }

  /** For what reading an answer has failed by. */
  static ProxyException ofReading(String message, IOException cause) {
    Kind kind = cause instanceof HttpTimeoutException ? Kind.LATE : Kind.BROKEN_OFF;
    return new ProxyException(kind, message, cause);
  }

  /** Why there is no answer. */
  public Kind kind() {
    return kind;
  }

  /** Plans that wait at a proxy that is busy. */
  public int queued() {
    return queued;
  }

  /** When a proxy that is busy may have room. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
