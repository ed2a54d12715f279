// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

/** A record does not fit into the heap; the message says how large it is, and what gives more. */
public final class RecordTooLargeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RecordTooLargeException(long bytes, long heapBytes) {
    super(
        "a record of "
            + bytes
            + " bytes is too large: as bytes and as the object that they stand for it takes twice"
            + " that, and the heap has "
            + heapBytes
            + " bytes; give executors more by --executorMemoryMb, or a JVM without executors by"
            + " -Xmx, or divide the record");
  }
}
