// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

/**
 * How an answer lies in the body of a response. Frames follow each other, each a length of 4 bytes
 * in network order and as many bytes of the stream of Arrow. In place of a length, {@link #END}
 * begins the last frame: rows, bytes of all frames (8 bytes each) and their CRC-32C (4 bytes);
 * {@link #FAILED} begins a last frame with the length of a reason in UTF-8 (4 bytes) and the
 * reason. A body without a last frame has broken off.
 */
public final class AnswerFrames {

  /** Largest frame in bytes. */
  public static final int MAX_FRAME_BYTES = 1 << 20;

  /** In place of a length: all has been sent. */
  public static final int END = 0;

  /** In place of a length: the plan failed when some of the answer was on its way. */
  public static final int FAILED = -1;

  /** Longest reason in bytes. */
  public static final int MAX_REASON_BYTES = 1 << 14;

  /** Bytes of a last frame behind its mark. */
  public static final int END_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private AnswerFrames() {}
}
