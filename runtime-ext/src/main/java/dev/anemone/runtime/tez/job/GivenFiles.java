// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files that a front end gives with its job, in the job's directory. Thread-safe.
 *
 * @param directory that has them
 */
public record GivenFiles(JobDirectory directory) {

  private static final String PREFIX = "given-";

  /** Those of a job, for one of its tasks. */
  public static GivenFiles of(String directoryUri) throws IOException {
    return new GivenFiles(JobDirectory.of(URI.create(directoryUri)));
  }

  /**
   * Has tasks reach files of this machine, wherever they run.
   *
   * @throws IOException when one cannot be read, or the directory not be written
   */
  public void give(Map<String, Path> files) throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      directory.give(PREFIX + file.getKey(), file.getValue());
    }
  }

  /**
   * Opens one of them; it belongs to the caller.
   *
   * @throws IOException when it is not there, or cannot be read
   */
  public InputStream open(String name) throws IOException {
    return directory.open(PREFIX + name);
  }
}
