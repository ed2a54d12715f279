// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Texts of queries, which are resources. */
public final class SqlText {
  private SqlText() {}

  /**
   * The text of a resource, if there is one.
   *
   * @param owner a class in whose package, or below it, the resource lies
   */
  public static Optional<String> find(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException notReadable) {
      throw new UncheckedIOException(notReadable);
    }
  }
}
