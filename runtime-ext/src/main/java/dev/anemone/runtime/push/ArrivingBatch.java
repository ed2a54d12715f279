package dev.anemone.runtime.push;

/**
 * A batch on its way into a {@link ProducerLog}, which alone writes where it lies. Its table comes
 * first, then the bytes of its entries.
 */
final class ArrivingBatch {

  private final BatchHeader header;
  private final long payloadBytes;
  private long start;
  private long position;

  ArrivingBatch(BatchHeader header, long payloadBytes) {
    this.header = header;
    this.payloadBytes = payloadBytes;
  }

  int number() {
    return header.number();
  }

  int entries() {
    return header.entries();
  }

  int tableBytes() {
    return header.tableBytes();
  }

  /** Bytes of all entries. */
  long payloadBytes() {
    return payloadBytes;
  }

  /** Bytes of the table and of all entries. */
  long bytes() {
    return tableBytes() + payloadBytes;
  }

  void placeAt(long logPosition) {
    start = logPosition;
    position = logPosition;
  }

  /** Offset in bytes from the start of the log's first page. */
  long start() {
    return start;
  }

  long payloadStart() {
    return start + tableBytes();
  }

  long end() {
    return start + bytes();
  }

  /** Where the next bytes go that are appended. */
  long position() {
    return position;
  }

  void advance(int bytes) {
    position += bytes;
  }
}
