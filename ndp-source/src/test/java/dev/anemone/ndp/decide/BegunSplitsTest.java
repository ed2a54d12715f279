// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ndp.decide.BegunSplits.Source;
import org.junit.jupiter.api.Test;

/** What of a source is left, by what of it has begun. */
class BegunSplitsTest {

  private final BegunSplits<Integer> begun = new BegunSplits<>();

  @Test
  void splitsAreCountedInWhateverOrderTheyBegin() {
    Source source = new Source(5, 2, 2);
    begun.begin(4, 1);
    assertThat(begun.leftOf(source)).isEqualTo(4);
    begun.begin(0, 0);
    assertThat(begun.leftOf(source)).isEqualTo(3);
    begun.begin(4, 1);
    assertThat(begun.leftOf(source)).as("another attempt").isEqualTo(3);
    begun.begin(3, 1);
    assertThat(begun.leftOf(source)).as("the next one of a task").isEqualTo(2);
  }

  @Test
  void tasksElsewhereAreTakenToBeAsFar() {
    Source source = new Source(20, 4, 4);
    begun.begin(10, 2);
    assertThat(begun.leftOf(source, 2)).as("each task has begun one of five").isEqualTo(16);
    for (int i = 11; i < 15; i++) {
      begun.begin(i, 2);
    }
    assertThat(begun.leftOf(source, 2)).isZero();
  }

  @Test
  void laterTasksBeginLater() {
    Source source = new Source(100, 100, 4);
    begun.begin(9, 9);
    assertThat(begun.leftOf(source, 9)).as("all but three rounds of four").isEqualTo(88);
    begun.begin(99, 99);
    assertThat(begun.leftOf(source, 99)).isZero();
  }
}
