package dev.anemone.runtime.stage;

import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.PartitionDivision;
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
 * @param perTask for each consumer task the partitions that it reads
 * @param push whether producers push to the consumer, which is an aggregation
 * @param divisions the partitions that several consumer tasks read
 */
public record Link(
    String peer,
    Transfer transfer,
    List<Channel> channels,
    int partitions,
    List<List<HashRange>> perTask,
    boolean push,
    List<PartitionDivision> divisions) {

  public Link {
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(transfer, "transfer");
    channels = List.copyOf(channels);
    perTask = perTask.stream().map(List::copyOf).toList();
    divisions = List.copyOf(divisions);
  }

  /** The same connection, seen from its other end. */
  Link from(String otherPeer) {
    return new Link(otherPeer, transfer, channels, partitions, perTask, push, divisions);
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
