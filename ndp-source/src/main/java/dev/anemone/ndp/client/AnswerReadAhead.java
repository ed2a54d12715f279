// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads an answer ahead until it is known to be whole, as far as the options say. */
final class AnswerReadAhead {

  private static final int PIECE_BYTES = 1 << 16;

  private AnswerReadAhead() {}

  /**
   * Reads as far ahead as the options say.
   *
   * @return the same bytes from the beginning; closing it does not close the frames
   */
  static InputStream begin(FrameInput frames, ClientOptions options) throws IOException {
    ByteArrayOutputStream ahead = new ByteArrayOutputStream();
    byte[] piece = new byte[PIECE_BYTES];
    int count = 0;
    while (count >= 0 && ahead.size() <= options.holdBackBytes()) {
      count = frames.read(piece, 0, PIECE_BYTES);
      ahead.write(piece, 0, Math.max(0, count));
    }
    InputStream first = new ByteArrayInputStream(ahead.toByteArray());
    if (frames.isVerified()) {
      return first;
    }
    return new SequenceInputStream(
        first, options.spillDirectory().isPresent() ? spilled(frames, options) : frames);
  }

  private static InputStream spilled(FrameInput frames, ClientOptions options) throws IOException {
    Path file = Files.createTempFile(options.spillDirectory().orElseThrow(), "answer-", ".arrow");
    try {
      try (OutputStream spill = Files.newOutputStream(file)) {
        frames.transferTo(spill);
      }
      // The file goes with the stream.
      return Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }
}
