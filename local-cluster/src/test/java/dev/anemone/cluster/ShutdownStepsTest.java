// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ShutdownStepsTest {
  private final List<String> closed = Collections.synchronizedList(new ArrayList<>());

  @Test
  void theLastIsClosedFirstAndOnce() {
    ShutdownSteps shutdown = new ShutdownSteps(Duration.ofSeconds(10));
    shutdown.add("first", () -> closed.add("first"));
    shutdown.add("second", () -> closed.add("second"));

    shutdown.closeAll();
    shutdown.closeAll();

    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void oneThatFailsOrHangsDoesNotKeepTheOthers() {
    ShutdownSteps shutdown = new ShutdownSteps(Duration.ofMillis(50));
    shutdown.add("good", () -> closed.add("good"));
    shutdown.add("endless", () -> new CountDownLatch(1).await());
    IOException reason = new IOException("no disk");
    shutdown.add(
        "bad",
        () -> {
          throw reason;
        });

    assertThatThrownBy(shutdown::closeAll)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bad")
        .hasCause(reason)
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .satisfies(late -> assertThat(late).hasMessageContaining("endless within")));
    assertThat(closed).containsExactly("good");
  }

  @Test
  void aFailureKeepsWhatFailsAfterIt() {
    ShutdownSteps shutdown = new ShutdownSteps(Duration.ofSeconds(10));
    shutdown.add(
        "bad",
        () -> {
          throw new IOException("no disk");
        });
    IllegalStateException failure = new IllegalStateException("first");

    shutdown.closeAfter(failure);

    assertThat(failure.getSuppressed()).hasSize(1);
  }
}
