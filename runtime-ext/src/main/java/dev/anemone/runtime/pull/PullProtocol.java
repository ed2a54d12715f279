// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

/**
 * The messages between who wants blocks and a {@link BlockServer}, over a connection of a {@link
 * dev.anemone.rdma.transport.Transport}; all numbers are big-endian. The bytes of a block are not
 * in them: the server reads them into its registered memory, piece by piece, and the other side
 * reads them there. Nobody writes into memory of others.
 *
 * <pre>
 * client:    its greeting and its proof as in {@code PushProtocol}, then wants and releases
 * want:      byte  'G'
 *            int   bytes of the block's path, and these in UTF-8
 *            int   the first partition that is wanted
 *            for this and those that follow it, a bit each, as {@link java.util.BitSet#valueOf} reads
 *            them: whether it is wanted
 * release:   byte  'R': the oldest piece that was not released has been read
 *
 * server:    a challenge, a welcome or a refusal as in {@code PushProtocol}, the memory, then pieces
 * memory:    byte  'M'
 *            long  its length
 *            its key
 * piece:     byte  'P'
 *            int   partition
 *            long  bytes of the partition, stored
 *            long  bytes of the partition, raw
 *            long  where the piece lies in the memory
 *            int   bytes of the piece, at least 1
 *            int   CRC32C of these
 * failure:   byte  'F'
 *            why the block cannot be read, in UTF-8
 * </pre>
 *
 * <p>The pieces of a want come in the order of the partitions and of their bytes, and no more than
 * {@link #PIECES_AHEAD} that are not released. After a failure no pieces of the want follow.
 */
final class PullProtocol {

  static final byte WANT = 'G';
  static final byte RELEASE = 'R';
  static final byte MEMORY = 'M';
  static final byte PIECE = 'P';
  static final byte FAILURE = 'F';

  /** A message has no more, which every transport takes. */
  static final int MESSAGE_BYTES = 4096;

  /** What comes before the key in the message of the memory. */
  static final int MEMORY_HEADER_BYTES = 1 + Long.BYTES;

  /** The most bytes of a piece: one read of a disk, and one of the network. */
  static final int PIECE_BYTES = 128 << 10;

  /** While one is read by the network, the next one is read from the disk. */
  static final int PIECES_AHEAD = 2;

  /** What a connection uses of the memory of either side, bytes. */
  static final int CONNECTION_BYTES = PIECES_AHEAD * PIECE_BYTES;

  private PullProtocol() {}
}
