// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ndp.engine.split.Split;
import java.io.Serializable;
import java.util.List;

/**
 * A range of a file of a table.
 *
 * @param file the path, or a URI with its scheme
 * @param start first byte
 * @param length in bytes
 * @param fileBytes the file's size
 * @param hosts that hold the bytes, those with the most first; empty when that is not known
 */
public record FileSplit(String file, long start, long length, long fileBytes, List<String> hosts)
    implements Serializable {

  public FileSplit {
    hosts = List.copyOf(hosts);
  }

  /** The range for the engine. */
  public Split range() {
    return length == fileBytes ? Split.WHOLE : new Split(start, length);
  }

  /** Whether the file is one of this machine: those have no scheme. */
  boolean isLocal() {
    return file.startsWith("/");
  }

  @Override
  public String toString() {
    return file + "[" + start + ", " + (start + length) + ")";
  }
}
