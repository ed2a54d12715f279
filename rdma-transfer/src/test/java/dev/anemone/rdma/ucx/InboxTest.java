// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InboxTest {

  private final List<Integer> received = new ArrayList<>();
  private final Inbox inbox = new Inbox((type, body) -> received.add(body.getInt()));

  private void add(long order) {
    inbox.add(order, Frame.Type.MESSAGE, ByteBuffer.allocate(4).putInt((int) order).flip());
  }

  @Test
  void framesComeInTheOrderOfSending() {
    List<Integer> orders = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      orders.add(i);
    }
    List<Integer> mixed = new ArrayList<>(orders);
    Collections.shuffle(mixed, new Random(5));
    mixed.forEach(this::add);
    assertThat(received).isEqualTo(orders);
  }

  @Test
  void aFrameComesOnce() {
    add(0);
    assertThatThrownBy(() -> add(0)).isInstanceOf(IllegalArgumentException.class);
    add(3);
    assertThatThrownBy(() -> add(3)).isInstanceOf(IllegalArgumentException.class);
    assertThat(received).containsExactly(0);
  }

  @Test
  void aPeerCannotFillTheMemoryWithFramesOutOfOrder() {
    assertThatThrownBy(
            () -> {
              for (int order = 1; order < 100_000; order++) {
                add(order);
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but 0 is awaited");
  }
}
