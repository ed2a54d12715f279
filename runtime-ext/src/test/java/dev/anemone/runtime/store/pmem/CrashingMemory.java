// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.rdma.pmem.PersistentMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A persistent memory of which it is known what is durable. Before and after everything that is
 * persisted, it shows what a crash could leave at that moment: of each word of 8 bytes that was
 * written and not persisted, the former or the present value, by chance. Used by one thread.
 */
final class CrashingMemory implements PersistentMemory {

  private static final int LINE_BYTES = 64;

  private final ByteBuffer present;
  private final ByteBuffer durable;
  private final Random random;
  private Consumer<ByteBuffer> onCrash = image -> {};
  private int persisted;

  /** A memory that begins with what is left of another one. */
  CrashingMemory(ByteBuffer image, Random random) {
    this.present = copy(image);
    this.durable = copy(image);
    this.random = random;
  }

  /** Shows every crash from now on; the receiver may keep the image. */
  void onCrash(Consumer<ByteBuffer> receiver) {
    onCrash = receiver;
  }

  private static ByteBuffer copy(ByteBuffer image) {
    return ByteBuffer.allocateDirect(image.capacity())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(0, image, 0, image.capacity());
  }

  /** How often something was persisted. */
  int persisted() {
    return persisted;
  }

  private void crash() {
    ByteBuffer image = copy(durable);
    int line = 0;
    while (line < image.capacity()) {
      int clean =
          durable
              .slice(line, image.capacity() - line)
              .mismatch(present.slice(line, image.capacity() - line));
      if (clean < 0) {
        break;
      }
      line = (line + clean) & -LINE_BYTES;
      // Lines that go as a whole, and lines that were written back while they were written to.
      int fate = random.nextInt(3);
      for (int at = line; at < line + LINE_BYTES; at += Long.BYTES) {
        if (fate == 1 || (fate == 2 && random.nextBoolean())) {
          image.putLong(at, present.getLong(at));
        }
      }
      line += LINE_BYTES;
    }
    onCrash.accept(image);
  }

  @Override
  public long size() {
    return present.capacity();
  }

  @Override
  public ByteBuffer slice(long offset, int length) {
    return present.slice((int) offset, length);
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, present.capacity());
    crash();
    int from = (int) offset & -LINE_BYTES;
    int to = (int) (offset + length + LINE_BYTES - 1) & -LINE_BYTES;
    durable.put(from, present, from, to - from);
    persisted++;
    crash();
  }

  @Override
  public void commit(long offset, long word) throws IOException {
    present.putLong((int) offset, word);
    persist(offset, Long.BYTES);
  }

  @Override
  public long word(long offset) {
    return present.getLong((int) offset);
  }

  @Override
  public void close() {}
}
