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

class ClosingTest {
  private final List<String> closed = Collections.synchronizedList(new ArrayList<>());

  @Test
  void theLastIsClosedFirstAndOnce() {
    Closing closing = new Closing(Duration.ofSeconds(10));
    closing.add("first", () -> closed.add("first"));
    closing.add("second", () -> closed.add("second"));

    closing.closeAll();
    closing.closeAll();

    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void oneThatFailsOrHangsDoesNotKeepTheOthers() {
    Closing closing = new Closing(Duration.ofMillis(50));
    closing.add("good", () -> closed.add("good"));
    closing.add("endless", () -> new CountDownLatch(1).await());
    IOException reason = new IOException("no disk");
    closing.add(
        "bad",
        () -> {
          throw reason;
        });

    assertThatThrownBy(closing::closeAll)
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
    Closing closing = new Closing(Duration.ofSeconds(10));
    closing.add(
        "bad",
        () -> {
          throw new IOException("no disk");
        });
    IllegalStateException failure = new IllegalStateException("first");

    closing.closeAfter(failure);

    assertThat(failure.getSuppressed()).hasSize(1);
  }
}
