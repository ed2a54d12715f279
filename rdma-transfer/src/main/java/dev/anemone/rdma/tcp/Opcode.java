// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

/** What a frame is. */
enum Opcode {
  /** Bytes for the receiver's memory; the payload has them. */
  WRITE(0),
  /** Asks for bytes of the receiver's memory. */
  READ(1),
  /** The bytes that were asked for. */
  READ_ANSWER(2),
  /** Asks for an answer when all before it is done. */
  FLUSH(3),
  /** All before the flush is done. */
  FLUSH_ANSWER(4),
  /** A message; the payload has it. */
  MESSAGE(5),
  /** The sender ends the connection because of what the receiver did; the payload says why. */
  REFUSAL(6),
  /** The sender has closed the connection. */
  BYE(7);

  private static final Opcode[] ALL = values();

  private final int number;

  Opcode(int number) {
    this.number = number;
  }

  /** The opcode of a number on the wire. */
  static Opcode of(int number) throws ViolationException {
    if (number < 0 || number >= ALL.length) {
      throw new ViolationException("a frame of unknown kind: " + number);
    }
    return ALL[number];
  }

  /** Its number on the wire: its place here, since {@link #of} relies on that. */
  int number() {
    return number;
  }

  /** Whether a payload follows the header, to be kept whole until it has been looked at. */
  boolean bringsText() {
    return this == MESSAGE || this == REFUSAL;
  }
}
