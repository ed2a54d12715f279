// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a stage needs to know whose ranges are drawn while the job runs.
 *
 * @param messageId the message that run-time passes draw them from
 * @param shuffles what the message tells of
 * @param inputs how the stage reads its grouped input links, by the stage at the link's other end
 * @param heldTasks how many producer tasks wait for the result
 */
public record Redrawing(
    String messageId, List<MeasuredShuffle> shuffles, Map<String, Reading> inputs, int heldTasks) {

  public Redrawing {
    Objects.requireNonNull(messageId, "messageId");
    shuffles = List.copyOf(shuffles);
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
  }

  /**
   * The shuffles over one link, which are measured together.
   *
   * @param stage name of the producer stage
   * @param peer name of the stage at the other end of the link, which may be an aggregation
   * @param edges ids of the shuffles
   * @param sampledTasks how many of its tasks are sampled
   * @param tasks how many tasks it has
   * @param partitions how many partitions each of them writes
   * @param readings how consumers read it: edges that lead to them, after relays
   */
  public record MeasuredShuffle(
      String stage,
      String peer,
      List<String> edges,
      int sampledTasks,
      int tasks,
      int partitions,
      List<Reading> readings) {

    public MeasuredShuffle {
      Objects.requireNonNull(stage, "stage");
      Objects.requireNonNull(peer, "peer");
      edges = List.copyOf(edges);
      readings = List.copyOf(readings);
    }
  }

  /**
   * How a link is read.
   *
   * @param edge an edge of it, which says what each consumer task reads
   * @param link what all its edges are called together
   */
  public record Reading(String edge, String link) {}
}
