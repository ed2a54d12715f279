// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

/**
 * The bytes between a sender and a receiver, over one TCP connection; all numbers are big-endian.
 *
 * <pre>
 * sender:    preamble, hello, random number, proof, batch, batch, ...
 * preamble:  int   "ANPU"
 *            int   version of the protocol
 *            int   bytes of the hello
 * hello:     int   index of the producer task
 *            int   attempt of the producer task
 *            int   bytes of the job's id, and these in UTF-8
 *            int   bytes of the receiver's id, and these in UTF-8
 * random number, proof: 32 bytes each, see {@link JobSecret}
 * batch:     byte  'B'
 *            int   number of the batch, larger than any before
 *            int   number of entries, at least 1
 *            entries: int partition, int bytes, long bytes before compression
 *            the bytes of the entries, one after the other
 *
 * receiver:  a challenge, a welcome, and a {@link Reply} to each batch; or a refusal
 * challenge: byte  'C'
 *            int   bytes that follow
 *            random number, proof
 * reply:     byte  what it is
 *            int   number of the batch, or why the sender is refused
 * </pre>
 *
 * <p>The sender waits for the challenge before it gives its proof, and for the welcome before it
 * sends batches, but not for the replies to these. What comes too early ends the connection. A
 * batch of several entries has up to {@link #MAX_BATCH_BYTES}; an entry that is larger has a batch
 * to itself.
 *
 * <p>Version 1 had neither random numbers nor proofs.
 */
public final class PushProtocol {

  public static final int MAGIC = 0x414e5055;
  public static final int VERSION = 2;
  public static final int PREAMBLE_BYTES = 12;
  public static final int MAX_HELLO_BYTES = 1024;
  public static final byte BATCH = 'B';
  public static final int BATCH_HEADER_BYTES = 9;
  public static final int ENTRY_BYTES = 16;
  public static final int MAX_ENTRIES = 4096;

  /** Bytes of all entries of a batch, unless it has one entry only. */
  public static final int MAX_BATCH_BYTES = 1 << 20;

  /** Where the length of an entry is, from its start. */
  public static final int ENTRY_LENGTH = 4;

  /** Where the bytes of an entry before compression are, from its start. */
  public static final int ENTRY_RAW_BYTES = 8;

  private PushProtocol() {}
}
