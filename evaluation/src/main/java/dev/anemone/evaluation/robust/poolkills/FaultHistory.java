// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * What happened to whom, with the time, a line each: beside the logs of the processes it tells why
 * one of them ended. Not thread-safe.
 */
final class FaultHistory {
  private final Path file;

  /** An empty one, in the place of a file. */
  FaultHistory(Path file) throws IOException {
    this.file = file;
    Files.deleteIfExists(file);
  }

  void add(PoolMember member, String event) throws IOException {
    Files.writeString(
        file,
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS)
            + " "
            + member.name()
            + " "
            + event
            + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
