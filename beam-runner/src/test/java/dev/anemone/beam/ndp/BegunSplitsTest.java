package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is left does not depend on the order in which tasks begin. */
class BegunSplitsTest {

  @Test
  void tasksAreCountedAndNotTheirIndices() {
    BegunSplits begun = new BegunSplits();
    assertThat(begun.leftAfter(4, 5)).isEqualTo(4);
    assertThat(begun.leftAfter(0, 5)).isEqualTo(3);
    assertThat(begun.leftAfter(4, 5)).as("another attempt").isEqualTo(3);
    assertThat(begun.leftAfter(2, 5)).isEqualTo(2);
  }
}
