// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.paged.ExtentTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** All that is to be known of a block in pages, as it is kept beside its bytes. Immutable. */
final class BlockHeader {

  private final BlockId id;
  private final BlockTable index;
  private final ExtentTable extents;
  private final int[] pages;
  private final int[] checksums;

  /**
   * Takes the arrays over.
   *
   * @param pages numbers of the pages that hold the block's bytes, in order; all but the last are
   *     full
   * @param checksums CRC32C of the block's bytes in each of them
   */
  BlockHeader(BlockId id, BlockTable index, ExtentTable extents, int[] pages, int[] checksums) {
    this.id = id;
    this.index = index;
    this.extents = extents;
    this.pages = pages;
    this.checksums = checksums;
  }

  BlockId id() {
    return id;
  }

  BlockTable index() {
    return index;
  }

  ExtentTable extents() {
    return extents;
  }

  IntStream pages() {
    return IntStream.of(pages);
  }

  int checksum(int page) {
    return checksums[page];
  }

  /** The header from position 0 to the limit. */
  ByteBuffer encode() {
    byte[] path = id.path().getBytes(StandardCharsets.UTF_8);
    int partitions = index.partitions();
    ByteBuffer to =
        ByteBuffer.allocate(
            3 * Integer.BYTES
                + path.length
                + pages.length * 2 * Integer.BYTES
                + partitions * 2 * Long.BYTES
                + extents.encodedBytes());
    to.putInt(path.length).put(path).putInt(pages.length).putInt(partitions);
    for (int i = 0; i < pages.length; i++) {
      to.putInt(pages[i]).putInt(checksums[i]);
    }
    for (int p = 0; p < partitions; p++) {
      to.putLong(index.rawLength(p)).putLong(index.storedLength(p));
    }
    extents.encode(to);
    return to.flip();
  }

  /** Reads what {@link #encode} gave, which the caller has checked to be that. */
  static BlockHeader decode(ByteBuffer from) {
    byte[] path = new byte[from.getInt()];
    from.get(path);
    int[] pages = new int[from.getInt()];
    int[] checksums = new int[pages.length];
    long[] raw = new long[from.getInt()];
    long[] stored = new long[raw.length];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = from.getInt();
      checksums[i] = from.getInt();
    }
    for (int p = 0; p < raw.length; p++) {
      raw[p] = from.getLong();
      stored[p] = from.getLong();
    }
    return new BlockHeader(
        new BlockId(new String(path, StandardCharsets.UTF_8)),
        BlockTable.packed(raw, stored),
        ExtentTable.decode(from, raw.length),
        pages,
        checksums);
  }
}
