// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the server of a node listens, as the node tells it: in a block of its own, which its
 * shuffle handler hands out like all others. Any executor of a node can serve all its blocks, and
 * the last one that has put its notice there does.
 *
 * <p>All notices have the same length, so that the index of one fits to the bytes of another, when
 * two are written at a time.
 *
 * @param transport its name
 * @param port on the node
 * @param serverId unique for each server, so that one that is gone is told from another one which
 *     got its port
 */
record ServerNotice(String transport, int port, String serverId) {

  private static final int BYTES = 128;
  private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d{1,5}) (\\S+) *");

  /** Writes it as a block. */
  void publish(BlockStore blocks, BlockId notice) throws IOException {
    String text = String.format("%-" + BYTES + "s", transport + " " + port + " " + serverId);
    try (BlockWriter writer = blocks.create(notice, 1, WriteOrder.BY_PARTITION)) {
      writer.append(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), BYTES);
      writer.commit();
    }
  }

  /** What a block says; empty when it is no notice. */
  static Optional<ServerNotice> read(BlockReader block) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    block.read(0, 0, bytes);
    Matcher text =
        TEXT.matcher(new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
    return text.matches()
        ? Optional.of(
            new ServerNotice(text.group(1), Integer.parseInt(text.group(2)), text.group(3)))
        : Optional.empty();
  }
}
