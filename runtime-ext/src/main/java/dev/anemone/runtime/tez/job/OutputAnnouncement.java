// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * What an attempt has written for a link, as it goes to the vertex manager of a consumer that
 * awaits all producers, which {@linkplain GatheredAnnouncements gathers} it for its tasks.
 *
 * @param announcement bytes of a {@link BlockAnnouncement}; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OutputAnnouncement(byte[] announcement) {

  public OutputAnnouncement {
    Objects.requireNonNull(announcement, "announcement");
  }

  /**
   * All that an attempt tells when it has written for a link. The first event is for the consumer's
   * tasks; where their vertex manager gathers what is announced, it reaches them only if the
   * attempt runs because another one's output was lost.
   */
  public static List<Event> events(Link link, BlockAnnouncement written) {
    ByteBuffer buffer = written.toBytes();
    DataMovementEvent toTasks = DataMovementEvent.create(0, buffer);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return link.awaitsAllProducers()
        ? List.of(
            toTasks,
            VertexManagerEvent.create(
                link.peer(), ByteBuffer.wrap(PlanCodec.write(new OutputAnnouncement(bytes)))))
        : List.of(toTasks);
  }
}
