// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.tier.OwnPages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Objects that come with their name in one message, and go so, too: for them a message is cheaper
 * than several one-sided operations. They are objects as all others, on a page of this server.
 * Thread-safe.
 */
final class SmallObjects {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final int self;
  private final long incarnation;
  private final PageTable pages;
  private final OwnPages memory;
  private final NameService names;

  SmallObjects(int self, long incarnation, PageTable pages, OwnPages memory, NameService names) {
    this.self = self;
    this.incarnation = incarnation;
    this.pages = pages;
    this.memory = memory;
    this.names = names;
  }

  /**
   * Writes an object to a page of this server, and makes it visible. Does nothing when that very
   * object is.
   *
   * @param object whose pages are not known yet
   * @param first the fastest tier that the page may be of
   * @param last the slowest
   * @return the object as it is visible
   * @throws RefusedException when no such tier has a page, or the object is none
   */
  StoredObject store(StoredObject object, TierKind first, TierKind last, ByteBuffer bytes)
      throws IOException {
    if (last == TierKind.FILE) {
      throw new RefusedException(Refusal.FAILED, "pages in files are written by other messages");
    }
    // The page is nobody else's: what ends with a connection could be another's while it is
    // written.
    Object writer = new Object();
    try {
      Reply.Allocated page = pages.allocate(writer, first, last);
      memory.write(page.number(), bytes);
      PageRef written =
          new PageRef(
              self,
              incarnation,
              page.tier(),
              page.number(),
              page.generation(),
              bytes.remaining(),
              checksum(bytes));
      return names.commit(object.withPages(List.of(written)));
    } finally {
      // Which is nothing when it is the object's now.
      pages.releaseAll(writer);
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }

  /** The last bytes of an object, no more than so many; none when it has none in memory here. */
  ByteBuffer tail(Optional<NameEntry> entry, int most) {
    if (most <= 0
        || !(entry.orElse(null) instanceof NameEntry.OfObject named)
        || named.object().pages().isEmpty()) {
      return NOTHING;
    }
    List<PageRef> all = named.object().pages();
    PageRef last = all.get(all.size() - 1);
    if (last.server() != self || last.incarnation() != incarnation || !memory.has(last.number())) {
      return NOTHING;
    }
    int length = Math.min(most, last.length());
    ByteBuffer tail = memory.read(last.number(), last.length() - length, length);
    // Only afterwards is it certain that the page was the object's when it was read.
    return pages.hasGeneration(last.number(), last.generation()) ? tail : NOTHING;
  }
}
