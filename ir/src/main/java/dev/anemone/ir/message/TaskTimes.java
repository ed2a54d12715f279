// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import java.util.List;
import java.util.Objects;

/**
 * How long the tasks of a vertex ran that measured what they sent. Comes with the {@link
 * ShuffleSizes} of the same id, before them.
 *
 * @param messageId names the message
 * @param vertexId the producer of a measured shuffle
 * @param millis run time of each of these tasks in milliseconds, until it had written all, none
 *     negative, in the order in which they finished
 */
public record TaskTimes(String messageId, String vertexId, List<Long> millis) implements Message {

  public TaskTimes {
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(vertexId, "vertexId");
    millis = List.copyOf(millis);
    if (millis.stream().anyMatch(time -> time < 0)) {
      throw new IllegalArgumentException(
          "task times of vertex " + vertexId + " must not be negative: " + millis);
    }
  }
}
