package dev.anemone.runtime.stage;

import java.util.List;
import java.util.Objects;

/**
 * One end of the connection between two stages, which carries all edges between them.
 *
 * @param peer the name of the stage at the other end
 * @param transfer how records move
 * @param channels the edges
 */
public record Link(String peer, Transfer transfer, List<Channel> channels) {

  public Link {
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(transfer, "transfer");
    channels = List.copyOf(channels);
  }
}
