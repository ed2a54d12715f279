// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import java.io.Closeable;
import java.io.IOException;

/** Closes several things, whatever happens to some of them. */
public final class CloseAll {

  private CloseAll() {}

  /**
   * Closes all.
   *
   * @throws IOException the first one thrown, with those after it suppressed in it
   */
  public static void of(Iterable<? extends Closeable> closeables) throws IOException {
    Throwable first = close(closeables, null);
    if (first instanceof IOException failure) {
      throw failure;
    }
    throwUnchecked(first);
  }

  /**
   * Closes all, of whatever kind they are.
   *
   * @throws Exception the first one thrown, with those after it suppressed in it
   */
  public static void ofAnyKind(Iterable<? extends AutoCloseable> closeables) throws Exception {
    Throwable first = close(closeables, null);
    throwUnchecked(first);
    if (first != null) {
      throw (Exception) first;
    }
  }

  /** Closes all because something failed; what fails now is suppressed in that. */
  public static void after(Throwable failure, Iterable<? extends AutoCloseable> closeables) {
    close(closeables, failure);
  }

  /** What was thrown first, before or now; the rest is suppressed in it. Null when nothing was. */
  private static Throwable close(
      Iterable<? extends AutoCloseable> closeables, Throwable failureBefore) {
    Throwable first = failureBefore;
    for (AutoCloseable closeable : closeables) {
      try {
        closeable.close();
      } catch (Exception | Error e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    return first;
  }

  private static void throwUnchecked(Throwable thrown) {
    if (thrown instanceof RuntimeException failure) {
      throw failure;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
  }
}
