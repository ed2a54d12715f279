// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.direct;

import dev.anemone.runtime.push.OutgoingBatch;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.PushProtocol;
import java.util.function.Consumer;

/**
 * What a sender has that was not let in, until it has heard of that.
 *
 * @param events of the sender
 */
record NoConnection(Consumer<SenderEvent> events) implements SenderConnection {

  @Override
  public int maxEntries() {
    return PushProtocol.MAX_ENTRIES;
  }

  @Override
  public long maxEntryBytes() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void send(OutgoingBatch batch) {
    events.accept(batch.released());
  }

  @Override
  public void close() {}
}
