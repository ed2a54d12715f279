// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import dev.anemone.runtime.spi.AgreedFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file of this machine that attempts in this JVM agree on. Thread-safe. */
record LocalAgreedFile(Path path) implements AgreedFile {

  @Override
  public Optional<InputStream> open() throws IOException {
    return Files.exists(path) ? Optional.of(Files.newInputStream(path)) : Optional.empty();
  }

  @Override
  public Draft begin() throws IOException {
    Path unfinished = Files.createTempFile(path.getParent(), LocalJobDirectory.UNFINISHED, null);
    return new LocalDraft(
        path, unfinished, new BufferedOutputStream(Files.newOutputStream(unfinished)));
  }

  /** Whether a move alone replaces a file differs between file systems. */
  private static synchronized void moveUnlessThere(Path from, Path to) throws IOException {
    if (!Files.exists(to)) {
      Files.move(from, to);
    }
  }

  private record LocalDraft(Path path, Path unfinished, OutputStream out) implements Draft {

    @Override
    public void publish() throws IOException {
      out.close();
      moveUnlessThere(unfinished, path);
    }

    @Override
    public void close() throws IOException {
      out.close();
      Files.deleteIfExists(unfinished);
    }
  }
}
