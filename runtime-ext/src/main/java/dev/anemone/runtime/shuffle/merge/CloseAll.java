// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

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
  public static void all(Iterable<? extends Closeable> closeables) throws IOException {
    IOException first = null;
    for (Closeable closeable : closeables) {
      try {
        closeable.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Closes all because something failed; what fails now is suppressed in that. */
  public static void after(Throwable failure, Iterable<? extends Closeable> closeables) {
    try {
      all(closeables);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
