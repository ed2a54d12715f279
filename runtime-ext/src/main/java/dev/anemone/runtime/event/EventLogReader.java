// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads an event log, event by event. What it does not understand it skips and counts, so that a
 * log that was cut off, or is of a later version, can still be shown. Not thread-safe.
 */
public final class EventLogReader implements AutoCloseable {

  private final BufferedReader in;
  private long unreadable;
  private long unknown;

  /**
   * A reader.
   *
   * @param in is closed with this reader
   */
  public EventLogReader(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** The next event that can be read; empty at the end. */
  public Optional<JobEvent> next() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isBlank()) {
        continue;
      }
      try {
        JsonNode tree = EventLogFormat.MAPPER.readTree(line);
        if (!tree.path("event").isTextual()) {
          unreadable++;
          continue;
        }
        JobEvent event = EventLogFormat.MAPPER.treeToValue(tree, JobEvent.class);
        if (event != null) {
          return Optional.of(event);
        }
        unknown++;
      } catch (JsonProcessingException e) {
        // A line that was cut off, or is none of this project's.
        unreadable++;
      }
    }
    return Optional.empty();
  }

  /** Lines until now that are no event, such as one that was cut off. */
  public long unreadableLines() {
    return unreadable;
  }

  /** Lines until now with events of a kind that this version does not know. */
  public long unknownEvents() {
    return unknown;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
