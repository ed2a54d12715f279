// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes frames of the pool's protocol out of right ones, the same for the same seed. */
final class FrameMutations {
  private static final int HEADER_BYTES = 9;
  private static final int MOST_RANDOM_BYTES = 2_000;
  private static final int MOST_FLIPS = 5;

  private final Random random;
  private final List<byte[]> right;

  FrameMutations(long seed, List<byte[]> right) {
    this.random = new Random(seed);
    this.right = List.copyOf(right);
  }

  /** How a frame differs from a right one. */
  enum Kind {
    /** Not at all; but it comes at another time, and perhaps again. */
    RIGHT,
    BYTES,
    CUT,
    /** More follows than there should. */
    LONGER,
    /** The beginning of one and the end of another. */
    SPLICED,
    /** Another call, or a message that goes on. */
    HEADER,
    /** A number in it is very large, or negative. */
    NUMBER,
    RANDOM
  }

  record Mutant(Kind kind, ByteBuffer bytes) {}

  Mutant next() {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    byte[] frame = any().clone();
    byte[] bytes =
        switch (kind) {
          case RIGHT -> frame;
          case BYTES -> flipped(frame);
          case CUT -> Arrays.copyOf(frame, random.nextInt(frame.length));
          case LONGER -> spliced(frame, frame.length, randomBytes());
          case SPLICED -> spliced(frame, random.nextInt(frame.length), any());
          case HEADER -> otherHeader(frame);
          case NUMBER -> otherNumber(frame);
          case RANDOM -> randomBytes();
        };
    return new Mutant(kind, ByteBuffer.wrap(bytes));
  }

  private byte[] any() {
    return right.get(random.nextInt(right.size()));
  }

  private byte[] randomBytes() {
    byte[] bytes = new byte[random.nextInt(MOST_RANDOM_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] flipped(byte[] frame) {
    for (int i = random.nextInt(MOST_FLIPS); i >= 0; i--) {
      frame[random.nextInt(frame.length)] = (byte) random.nextInt();
    }
    return frame;
  }

  private byte[] spliced(byte[] first, int length, byte[] second) {
    int from = second.length == 0 ? 0 : random.nextInt(second.length);
    byte[] both = Arrays.copyOf(first, length + second.length - from);
    System.arraycopy(second, from, both, length, second.length - from);
    return both;
  }

  private byte[] otherHeader(byte[] frame) {
    for (int i = 0; i < HEADER_BYTES; i++) {
      frame[i] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(2));
    }
    return frame;
  }

  private byte[] otherNumber(byte[] frame) {
    if (frame.length >= HEADER_BYTES + Integer.BYTES) {
      int at = HEADER_BYTES + random.nextInt(frame.length - HEADER_BYTES - Integer.BYTES + 1);
      byte sign = (byte) (random.nextBoolean() ? 0x7f : 0xff);
      Arrays.fill(frame, at, at + Integer.BYTES, (byte) 0xff);
      frame[at] = sign;
    }
    return frame;
  }
}
