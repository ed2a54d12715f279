// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NdpFuzzTest {
  private static final int REQUESTS = 200;

  @TempDir private Path directory;

  @Test
  void everyRequestIsAnsweredOrRefusedWithAReason() throws Exception {
    Trial trial = Trial.of(directory, "ndp-fuzz", "--requests=" + REQUESTS, "--seed=8");
    NdpFuzz.Figures figures = trial.figures(NdpFuzz.Figures.class);

    assertThat(figures.wrong()).isEmpty();
    assertThat(figures.statuses()).containsOnlyKeys(FuzzRequest.Kind.values());
    assertThat(figures.statuses().get(FuzzRequest.Kind.VALID)).containsOnlyKeys(200);
    assertThat(
            figures.statuses().values().stream()
                .flatMap(counts -> counts.values().stream())
                .mapToInt(Integer::intValue)
                .sum())
        .isEqualTo(REQUESTS);
    assertThat(trial.out()).contains("Wrong: nothing");
  }

  @Test
  void aSeedStandsForItsRequests() {
    assertThat(requests(5)).isEqualTo(requests(5)).isNotEqualTo(requests(6));
  }

  private static List<FuzzRequest> requests(long seed) {
    RequestMutations mutations =
        new RequestMutations(seed, new FuzzTarget("nn:8020", "reader"), List.of("/canary"));
    return IntStream.range(0, 50).mapToObj(i -> mutations.next()).toList();
  }
}
