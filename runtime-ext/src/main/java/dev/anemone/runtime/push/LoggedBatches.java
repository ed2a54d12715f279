// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.PushProtocol;
import java.nio.ByteBuffer;

/**
 * How batches lie in the pages of their producer, one behind the other, each from a multiple of
 * {@link PushProtocol#ENTRY_BYTES} on, so that neither its header nor an entry of its table spans
 * two pages:
 *
 * <pre>
 * header:  int   number of the batch, or -1 while it is not complete
 *          int   number of entries
 *          long  bytes of all entries
 * then the table of the entries and their bytes, as they came over the network
 * </pre>
 *
 * <p>So a log of batches needs no list of them on the heap.
 */
final class LoggedBatches {

  static final int HEADER_BYTES = 16;

  private static final int ENTRIES = 4;
  private static final int PAYLOAD_BYTES = 8;
  private static final int INCOMPLETE = -1;

  private LoggedBatches() {}

  // Pages have been left with any position and limit.

  /** Where a batch may begin, at a position or behind it. */
  static long align(long position) {
    return (position + PushProtocol.ENTRY_BYTES - 1) & -PushProtocol.ENTRY_BYTES;
  }

  /** Writes the header of a batch that has begun, into the page that it begins in. */
  static void begin(ByteBuffer page, ArrivingBatch batch) {
    int at = offset(batch.start());
    page.clear().putInt(at, INCOMPLETE);
    page.putInt(at + ENTRIES, batch.entries());
    page.putLong(at + PAYLOAD_BYTES, batch.payloadBytes());
  }

  /** Notes in the page that a batch begins in that it is complete. */
  static void complete(ByteBuffer page, ArrivingBatch batch) {
    page.clear().putInt(offset(batch.start()), batch.number());
  }

  /** The number of the batch that begins at a position, negative when it is not complete. */
  static int number(ByteBuffer page, long start) {
    return page.clear().getInt(offset(start));
  }

  /** Bytes of all entries of the batch that begins at a position. */
  static long payloadBytes(ByteBuffer page, long start) {
    return page.clear().getLong(offset(start) + PAYLOAD_BYTES);
  }

  /** Where the bytes of the entries begin of the batch that begins at a position. */
  static long payloadStart(ByteBuffer page, long start) {
    return start
        + HEADER_BYTES
        + (long) page.clear().getInt(offset(start) + ENTRIES) * PushProtocol.ENTRY_BYTES;
  }

  /** Where the batch ends that begins at a position. */
  static long end(ByteBuffer page, long start) {
    return payloadStart(page, start) + payloadBytes(page, start);
  }

  static int offset(long position) {
    return (int) (position % PagePool.PAGE_BYTES);
  }
}
