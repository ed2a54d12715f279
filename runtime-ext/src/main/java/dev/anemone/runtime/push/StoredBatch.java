package dev.anemone.runtime.push;

/**
 * Where a batch lies in the pages of its producer, as it came over the network: the table of its
 * entries, then their bytes.
 *
 * @param start offset in bytes from the start of the first page, a multiple of {@link
 *     PushProtocol#ENTRY_BYTES}, so that no entry of the table spans two pages
 * @param entries number of entries
 * @param payloadBytes bytes of all entries, without the table
 */
record StoredBatch(long start, int entries, long payloadBytes) {

  long payloadStart() {
    return start + (long) entries * PushProtocol.ENTRY_BYTES;
  }

  long end() {
    return payloadStart() + payloadBytes;
  }
}
