// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poollookups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolLookupsTest {

  @Test
  void lookupsAreMeasured(@TempDir Path directory) throws Exception {
    Trial trial = Trial.of(directory, "pool-lookups", "--names=2000", "--lookups=200");
    PoolLookups.Figures figures = trial.figures(PoolLookups.Figures.class);

    assertThat(figures.medianMicros()).isPositive();
    assertThat(figures.p99Micros()).isBetween(figures.medianMicros(), figures.maxMicros());
    assertThat(figures.commitsPerSecond()).isPositive();
    assertThat(trial.out()).contains("200 lookups over loopback");
  }
}
