// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.stage.DiscardableOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.tez.dag.api.event.VertexState;
import org.apache.tez.dag.api.event.VertexStateUpdate;
import org.junit.jupiter.api.Test;

class OutputWatchTest {

  private final List<Integer> read = new ArrayList<>();
  private final OutputWatch watch =
      new OutputWatch(
          "maps",
          List.of(
              new DiscardableOutput(0, Set.of("reduces", "alias")),
              new DiscardableOutput(2, Set.of("joins"))),
          read::add);

  private void update(String stage, VertexState state) {
    watch.updated(new VertexStateUpdate(stage, state));
  }

  @Test
  void anOutputIsReadWhenAllConsumersHaveSucceeded() {
    update("maps", VertexState.SUCCEEDED);
    update("reduces", VertexState.SUCCEEDED);
    assertThat(read).isEmpty();
    update("joins", VertexState.SUCCEEDED);
    assertThat(read).containsExactly(2);
    update("alias", VertexState.SUCCEEDED);
    assertThat(read).containsExactly(2, 0);
  }

  @Test
  void aStageThatRunsAgainHasNotSucceeded() {
    update("maps", VertexState.SUCCEEDED);
    update("reduces", VertexState.SUCCEEDED);
    update("reduces", VertexState.RUNNING);
    update("alias", VertexState.SUCCEEDED);
    assertThat(read).isEmpty();
    update("maps", VertexState.RUNNING);
    update("reduces", VertexState.SUCCEEDED);
    assertThat(read).as("while a producer runs again").isEmpty();
    update("maps", VertexState.SUCCEEDED);
    assertThat(read).containsExactly(0);
  }

  @Test
  void whatWasReadOnceIsSaidAgainWhenItWasReadAgain() {
    for (String stage : List.of("maps", "joins")) {
      update(stage, VertexState.SUCCEEDED);
    }
    update("joins", VertexState.RUNNING);
    update("maps", VertexState.RUNNING);
    update("maps", VertexState.SUCCEEDED);
    update("joins", VertexState.SUCCEEDED);
    assertThat(read).containsExactly(2, 2);
  }
}
