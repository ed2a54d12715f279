// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.EdgeProperty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One end of the connection between two stages, which carries all edges between them.
 *
 * @param peer the name of the stage at the other end
 * @param transfer how records move
 * @param channels the edges
 * @param partitions how many partitions each producer task writes
 * @param perTask for each consumer task the partitions that it reads; in the plan of a task those
 *     of other tasks are missing, see {@link TaskPlan}
 * @param push whether producers push to the consumer, which is an aggregation
 * @param divisions the partitions that several consumer tasks read
 * @param mayBeDivided whether others may be divided among these while producers run
 * @param aliasOf the consumer stage of another link of the same producer, if this link's consumer
 *     reads what was written for that one, and nothing is written for it
 */
public record Link(
    String peer,
    Transfer transfer,
    List<Channel> channels,
    int partitions,
    List<List<HashRange>> perTask,
    boolean push,
    List<PartitionDivision> divisions,
    boolean mayBeDivided,
    Optional<String> aliasOf) {

  public Link {
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(transfer, "transfer");
    channels = List.copyOf(channels);
    perTask = perTask.stream().map(List::copyOf).toList();
    divisions = List.copyOf(divisions);
    Objects.requireNonNull(aliasOf, "aliasOf");
  }

  /** The same connection, seen from its other end. */
  Link from(String otherPeer) {
    return new Link(
        otherPeer, transfer, channels, partitions, perTask, push, divisions, mayBeDivided, aliasOf);
  }

  /** The same connection, over which the consumer reads what is written for another stage. */
  Link sharing(String consumer) {
    return new Link(
        peer,
        transfer,
        channels,
        partitions,
        perTask,
        push,
        divisions,
        mayBeDivided,
        Optional.of(consumer));
  }

  /** The same connection with other partitions for each consumer task. */
  public Link withRanges(List<List<HashRange>> ranges, List<PartitionDivision> newDivisions) {
    return new Link(
        peer, transfer, channels, partitions, ranges, push, newDivisions, mayBeDivided, aliasOf);
  }

  /** The same connection, whose partitions may be divided while producers run. */
  Link withLaterDivision() {
    return new Link(peer, transfer, channels, partitions, perTask, push, divisions, true, aliasOf);
  }

  /** The same connection, of whose consumer tasks only one is told its partitions. */
  public Link withRangesOf(int task, LinkRanges own) {
    List<List<HashRange>> ranges = new ArrayList<>(Collections.nCopies(task, List.of()));
    ranges.add(own.ranges());
    return withRanges(ranges, own.divisions());
  }

  /** The same connection with other edges. */
  Link withChannels(List<Channel> newChannels) {
    return new Link(
        peer, transfer, newChannels, partitions, perTask, push, divisions, mayBeDivided, aliasOf);
  }

  /** Whether consumer tasks run beside their producers, and read as these finish. */
  public boolean isReadEarly() {
    return channels.stream()
        .allMatch(
            channel ->
                channel.edge().property(DataFlow.class).orElse(DataFlow.PULL) == DataFlow.PUSH);
  }

  /** Whether consumer tasks start when all producer tasks have finished. */
  public boolean awaitsAllProducers() {
    return transfer != Transfer.ONE_TO_ONE && !isReadEarly();
  }

  /** Whether what is written for it may go when it has been read: all edges are to be discarded. */
  public boolean isDiscarded() {
    return channels.stream()
        .allMatch(
            channel ->
                channel.edge().property(DataPersistence.class).orElse(DataPersistence.KEEP)
                    == DataPersistence.DISCARD);
  }

  /** What a person calls the edges of the link: their ids. */
  public String edgeIds() {
    return channels.stream().map(channel -> channel.edge().id()).collect(Collectors.joining("+"));
  }

  /** A property that all edges of the link have alike, as their policy sees to; the first one's. */
  public <P extends EdgeProperty> Optional<P> property(Class<P> type) {
    return channels.get(0).edge().property(type);
  }
}
