// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.runtime.spi.SpillFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * The bytes of a state, part by part: in the heap up to a limit, beyond it on disk. Not
 * thread-safe.
 */
final class StateParts implements Closeable {

  /** What a part takes in the heap besides its own bytes, with its share of the state's name. */
  static final int PART_BYTES = 128;

  /** Whole elements, in the heap or in the file. */
  sealed interface Part {

    int length();
  }

  private record InHeap(ByteString bytes) implements Part {
    @Override
    public int length() {
      return bytes.size();
    }
  }

  private record OnDisk(long position, int length) implements Part {}

  private final SpillFile file;
  private final long heapLimitBytes;
  private long heapBytes;

  /**
   * No part yet.
   *
   * @param file is closed with this
   * @param heapLimitBytes that may stay in the heap
   */
  StateParts(SpillFile file, long heapLimitBytes) {
    this.file = file;
    this.heapLimitBytes = heapLimitBytes;
  }

  /** Whether what is added now goes to disk. */
  boolean isHeapFull() {
    return heapBytes >= heapLimitBytes;
  }

  /** Keeps bytes. */
  Part add(ByteString data) throws IOException {
    long bytes = (long) data.size() + PART_BYTES;
    if (heapBytes + bytes <= heapLimitBytes) {
      heapBytes += bytes;
      return new InHeap(data);
    }
    // The part itself still takes a little, which ends the bundle of many keys.
    heapBytes += PART_BYTES;
    return new OnDisk(file.append(data.asReadOnlyByteBuffer()), data.size());
  }

  /** The bytes of a part. */
  ByteString read(Part part) throws IOException {
    if (part instanceof InHeap inHeap) {
      return inHeap.bytes();
    }
    ByteBuffer buffer = ByteBuffer.allocate(part.length());
    file.read(((OnDisk) part).position(), buffer);
    return ByteString.copyFrom(buffer.flip());
  }

  /** Gives back what a part takes in the heap. */
  void forget(Part part) {
    heapBytes -= PART_BYTES + (part instanceof InHeap ? part.length() : 0);
  }

  /**
   * Something else of the state takes so many bytes of the heap from now on; less than 0: gives.
   */
  void take(long bytes) {
    heapBytes += bytes;
  }

  /** Forgets all parts. */
  void clear() throws IOException {
    heapBytes = 0;
    file.clear();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
