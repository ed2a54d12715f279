// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Where the option {@code --eventLog} wants a job's log. */
final class EventLogSetting {

  private EventLogSetting() {}

  /**
   * The directory; empty for no log.
   *
   * @throws InvalidPipelineException when it is none, or the job goes on without its client, and
   *     its application master would not find it
   */
  static Optional<URI> of(NemoPipelineOptions options) {
    String given = options.getEventLog();
    if (given == null) {
      return Optional.empty();
    }
    URI directory =
        given.contains("://") ? uri(given) : OptionCheck.directory("eventLog", given).toUri();
    if (options.getDetached() && "file".equals(directory.getScheme())) {
      throw new InvalidPipelineException(
          "--eventLog="
              + given
              + " is a directory of this machine, and the log of a job with --detached is written by"
              + " its application master, on some machine of the cluster. Name a directory of the"
              + " cluster's file system, as in hdfs://host:8020/logs.");
    }
    return Optional.of(directory);
  }

  private static URI uri(String given) {
    try {
      return new URI(given);
    } catch (URISyntaxException e) {
      throw new InvalidPipelineException(
          "--eventLog="
              + given
              + " is no address: "
              + e.getMessage()
              + ". Name a directory, as in /var/log/anemone or hdfs://host:8020/logs.");
    }
  }
}
