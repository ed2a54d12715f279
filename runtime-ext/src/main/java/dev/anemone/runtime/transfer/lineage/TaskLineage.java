// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import java.util.Map;

/**
 * What an attempt of a task has written, and what it has made that of.
 *
 * @param written digests of its outputs, by consumer stage
 * @param read digests of the versions that it has read, by producer stage: without those over
 *     one-to-one links, which no other task reads, and those that it has not read to their end
 */
public record TaskLineage(Map<String, Long> written, Map<String, Long> read) {

  public TaskLineage {
    written = Map.copyOf(written);
    read = Map.copyOf(read);
  }
}
