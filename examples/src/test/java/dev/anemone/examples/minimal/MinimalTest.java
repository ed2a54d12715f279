// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.minimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

class MinimalTest {

  @Test
  void countsItsThreeElementsInEveryRun() {
    for (int run = 0; run < 3; run++) {
      assertThat(Minimal.run(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create()))
          .isEqualTo(3);
    }
  }

  @Test
  void refusesToRunLessThanOnce() {
    assertThatThrownBy(() -> Minimal.main(new String[] {"--runner=NemoRunner", "--repetitions=0"}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--repetitions is 0");
  }
}
