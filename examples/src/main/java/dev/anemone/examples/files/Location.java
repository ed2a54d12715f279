// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A place that a command line option gave: a path, or an address on another file system of Beam.
 * Immutable and thread-safe.
 *
 * @param option the option, for messages
 * @param text the place as it was given
 */
public record Location(String option, String text) {
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:.*");

  /** Whether this is a path of the local file system. */
  public boolean isLocal() {
    return !SCHEME.matcher(text).matches();
  }

  /**
   * The absolute path of a local place.
   *
   * @throws IllegalArgumentException if the text is not a path
   */
  public Path path() {
    try {
      return Path.of(text).toAbsolutePath();
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          option + "=" + text + " is not a path: " + invalid.getReason(), invalid);
    }
  }

  /**
   * Creates a local directory if it does not exist, and checks that files can be created in it.
   *
   * @param directory this place, or a directory that follows from it
   * @throws IllegalArgumentException if the directory cannot be written to; the message names the
   *     option, the directory and the reason
   */
  public void requireWritable(Path directory) {
    try {
      Files.createDirectories(directory);
      // Permission bits do not tell everything (read-only mounts, quotas, root): try it.
      Files.delete(Files.createTempFile(directory, ".anemone-", ".probe"));
    } catch (IOException notWritable) {
      throw new IllegalArgumentException(
          option
              + "="
              + text
              + ": the directory "
              + directory
              + " cannot be written to ("
              + notWritable.getClass().getSimpleName()
              + ": "
              + notWritable.getMessage()
              + "). Choose a place where you may create files, or change its permissions.",
          notWritable);
    }
  }
}
