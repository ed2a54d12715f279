// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceProgressTest {

  private final SourceProgress progress = new SourceProgress(4);

  @Test
  void producersCountAlikeAndTheCurrentOneByItsBytes() {
    assertThat(progress.fraction(0)).isZero();
    progress.began(0, 100);
    assertThat(progress.fraction(50)).isEqualTo(0.125);
    progress.began(100, 1_000);
    assertThat(progress.fraction(100)).isEqualTo(0.25);
    assertThat(progress.fraction(600)).isEqualTo(0.375);
    progress.skipped();
    assertThat(progress.fraction(1_100)).isEqualTo(0.75);
    progress.began(1_100, 0);
    assertThat(progress.fraction(1_100)).isEqualTo(0.75);
  }

  @Test
  void whoReadsAgainBeginsAgain() {
    progress.began(0, 100);
    progress.restart(100);
    assertThat(progress.fraction(100)).isZero();
    progress.began(100, 100);
    assertThat(progress.fraction(150)).isEqualTo(0.125);
  }

  @Test
  void thereIsNoMoreThanAll() {
    progress.began(0, 100);
    assertThat(progress.fraction(1_000)).isEqualTo(0.25);
    for (int i = 0; i < 9; i++) {
      progress.skipped();
    }
    assertThat(progress.fraction(1_000)).isEqualTo(1);
    assertThat(new SourceProgress(0).fraction(0)).isEqualTo(1);
  }
}
