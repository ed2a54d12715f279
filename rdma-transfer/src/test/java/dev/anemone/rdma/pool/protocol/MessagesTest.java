// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MessagesTest {

  private static final int PIECE = 1 << 20;

  private final Messages messages = new Messages(Messages.MAX_BYTES);

  private void receive(long call) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE).putLong(call).put((byte) 1).position(0);
    messages.receive(piece, (number, message) -> {});
  }

  @Test
  void aMessageWithoutAnEndIsRefused() {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 80; i++) {
                receive(1);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void manyMessagesWithoutAnEndAreRefused() {
    assertThatThrownBy(
            () -> {
              for (int call = 0; call < 80; call++) {
                receive(call);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than");
  }
}
