// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

/**
 * A sender's end of a connection. It passes what happens on as {@link SenderEvent}s and decides
 * nothing itself. Thread-safe.
 */
public interface SenderConnection {

  /** Entries that a batch may have. */
  int maxEntries();

  /** Bytes that the only entry of a batch may have. */
  long maxEntryBytes();

  /** Sends a batch as soon as the receiver lets batches in; tells when the network has read it. */
  void send(OutgoingBatch batch);

  /** Closes the connection; all batches are released soon. */
  void close();
}
