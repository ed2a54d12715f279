// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/** Answers as they go over a network. */
final class AnswerBytes {

  private AnswerBytes() {}

  static byte[] of(PlanAnswer given) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PlanAnswer answer = given) {
      answer.writeTo(Channels.newChannel(bytes));
    }
    return bytes.toByteArray();
  }

  static ArrowReader reader(byte[] bytes, BufferAllocator allocator) {
    return new ArrowStreamReader(new ByteArrayInputStream(bytes), allocator);
  }
}
