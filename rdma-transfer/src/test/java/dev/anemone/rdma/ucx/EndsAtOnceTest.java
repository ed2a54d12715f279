// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndsAtOnceTest {

  private final EndsAtOnce endsAtOnce = new EndsAtOnce();

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(endsAtOnce.isLikely()).isTrue();
  }

  @Test
  void severalInARowThatEndLaterTell() {
    learn(false, 8);
    endsAtOnce.learn(true);
    learn(false, 8);
    assertThat(endsAtOnce.isLikely()).isTrue();

    learn(false, 8);
    assertThat(endsAtOnce.isLikely()).isFalse();
  }

  @Test
  void oneThatEndsAtOnceTellsOfTheNext() {
    learn(false, 1_000);
    endsAtOnce.learn(true);

    assertThat(endsAtOnce.isLikely()).isTrue();
  }

  private void learn(boolean atOnce, int times) {
    for (int i = 0; i < times; i++) {
      endsAtOnce.learn(atOnce);
    }
  }
}
