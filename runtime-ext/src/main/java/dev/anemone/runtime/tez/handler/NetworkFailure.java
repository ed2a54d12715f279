// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;

/** Makes exceptions of sockets say what failed, and whether to try again. */
final class NetworkFailure {

  private NetworkFailure() {}

  /**
   * The exception to throw: an {@link InterruptedIOException} when the thread is interrupted, which
   * closes its socket, and {@link TransientFailureException} otherwise. A timeout is never an
   * {@code InterruptedIOException} here, although the JDK's is one.
   *
   * @param what failed, as in "it cannot be reached"
   */
  static IOException of(String what, IOException cause) {
    if (Thread.currentThread().isInterrupted()) {
      InterruptedIOException interrupted =
          new InterruptedIOException("the thread was interrupted while it fetched a block");
      interrupted.initCause(cause);
      return interrupted;
    }
    return new TransientFailureException(
        what + ": " + (cause.getMessage() == null ? cause : cause.getMessage()), cause);
  }

  /**
   * The same for what fails while an answer is awaited: a node that hangs has had time enough, and
   * is not asked again.
   */
  static IOException reading(String what, int timeoutMillis, IOException cause) {
    if (cause instanceof SocketTimeoutException && !Thread.currentThread().isInterrupted()) {
      return new SilentNodeException("it has sent nothing for " + timeoutMillis + " ms", cause);
    }
    return of(what, cause);
  }
}
