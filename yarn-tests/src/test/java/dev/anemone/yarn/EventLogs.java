// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A directory that was given as {@code --eventLog}. */
record EventLogs(Path directory) {

  /** What there is of all logs, each in its order. */
  List<JobEvent> events() throws IOException {
    List<JobEvent> events = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(EventLogs::isLog).toList()) {
        try (EventLogReader reader = new EventLogReader(Files.newInputStream(file))) {
          for (var event = reader.next(); event.isPresent(); event = reader.next()) {
            events.add(event.get());
          }
        }
      }
    }
    return events;
  }

  /** Those of a kind. */
  <E extends JobEvent> List<E> only(Class<E> kind) throws IOException {
    return events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Hadoop has a file of checksums beside each. */
  private static boolean isLog(Path file) {
    return !file.getFileName().toString().startsWith(".");
  }
}
