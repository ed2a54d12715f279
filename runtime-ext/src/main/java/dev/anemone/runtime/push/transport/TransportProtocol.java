// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Reply;

/**
 * The messages between a sender and a receiver over a connection of a {@link
 * dev.anemone.rdma.transport.Transport}; all numbers are big-endian. The bytes of a batch are not
 * in them: the receiver reads them from the sender's registered pages into its own, when it has
 * memory for them (rendezvous by read, as MPI's and SparkRDMA's). So nobody writes into pages of
 * others, a page that was given back is never written by a late sender, and a receiver that is full
 * has moved nothing.
 *
 * <pre>
 * sender:    its greeting as in {@link PushProtocol}, its proof, then regions and batches
 * region:    byte  'M'
 *            int   its number, from 0 in the order of sending
 *            long  its length
 *            its key
 * batch:     byte  'B'
 *            int   number of the batch, larger than any before
 *            int   number of entries, at least 1
 *            entries: int partition, int bytes, long bytes before compression
 *            int   CRC32C of the bytes of the entries
 *            for each page of the batch: int number of its region, int offset in it
 *
 * receiver:  a challenge, a welcome, and a {@link Reply} to each batch; a batch that was answered is
 *            not read any longer
 * </pre>
 *
 * <p>A message has up to {@link #MESSAGE_BYTES}, which every transport takes. That bounds a batch's
 * entries, and the bytes of an entry that has a batch to itself.
 */
public final class TransportProtocol {

  public static final byte REGION = 'M';

  /** What comes before the key in a region's message. */
  public static final int REGION_HEADER_BYTES = 1 + Integer.BYTES + Long.BYTES;

  /** Regions of a sender; a pool has fewer slabs. */
  static final int MAX_REGIONS = 1 << 16;

  static final int MESSAGE_BYTES = 4096;

  static final int CHECKSUM_BYTES = Integer.BYTES;

  /** Of a page of a batch. */
  static final int PAGE_REFERENCE_BYTES = 2 * Integer.BYTES;

  /** Entries of a batch that has one page. */
  public static final int MAX_ENTRIES =
      (MESSAGE_BYTES - PushProtocol.BATCH_HEADER_BYTES - CHECKSUM_BYTES - PAGE_REFERENCE_BYTES)
          / PushProtocol.ENTRY_BYTES;

  /** Pages of a batch that has one entry. */
  static final int MAX_PAGES =
      (MESSAGE_BYTES - PushProtocol.BATCH_HEADER_BYTES - CHECKSUM_BYTES - PushProtocol.ENTRY_BYTES)
          / PAGE_REFERENCE_BYTES;

  /** Batches of a connection that a sender may have unanswered. */
  static final int MAX_OFFERED = 16;

  private TransportProtocol() {}
}
