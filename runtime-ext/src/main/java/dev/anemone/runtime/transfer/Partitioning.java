// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.property.Partitioner;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides to which partition of a link a record goes. The decision depends on nothing but the
 * record's bytes, or its place among those of its channel where that is the same in every attempt:
 * so is the decision, in every JVM. Used by one thread.
 */
interface Partitioning {

  /** The partition of a record whose key begins with its channel's tag. */
  int partition(ByteSink key, ByteSink value);

  /**
   * The partitioning of a link.
   *
   * <p>Grouped records go by the hash of the key without its tag, so equal keys of different
   * channels and producers meet in one task. Records that are spread go by the hash of the value:
   * taking turns would be more even, but is not repeatable in general, and when a producer task
   * runs again and reads its input in another order, records would change places, so that a
   * consumer that had read the first attempt's output would miss some and see others twice. Where
   * the plan says that the order is the same again, they take turns.
   *
   * @param task index of the producer task, with which turns begin, so that not all begin alike
   */
  static Partitioning of(Link link, int task) {
    int partitions = link.partitions();
    return switch (link.transfer()) {
      case GROUPED -> (key, value) -> PartitionHash.of(key.array(), 1, key.length(), partitions);
      case SPREAD -> spread(link, task);
      case BROADCAST, ONE_TO_ONE -> (key, value) -> 0;
    };
  }

  private static Partitioning spread(Link link, int task) {
    int partitions = link.partitions();
    Partitioning byContent =
        (key, value) -> PartitionHash.of(value.array(), 0, value.length(), partitions);
    Set<Integer> inTurn =
        link.channels().stream()
            .filter(
                channel ->
                    channel.edge().property(Partitioner.class).orElse(null)
                        instanceof Partitioner.RoundRobin)
            .map(Channel::tag)
            .collect(Collectors.toSet());
    return inTurn.isEmpty() ? byContent : new Turns(inTurn, partitions, task, byContent);
  }
}
