// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseAllTest {

  private final List<String> closed = new ArrayList<>();
  private final IOException first = new IOException("first");
  private final IllegalStateException second = new IllegalStateException("second");

  private Closeable fine(String name) {
    return () -> closed.add(name);
  }

  private Closeable failing(IOException failure) {
    return () -> {
      throw failure;
    };
  }

  private Closeable failing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  void theOthersAreClosedInTheirOrderAndTheFirstFailureIsThrown() {
    List<Closeable> all = List.of(fine("a"), failing(first), fine("b"), failing(second), fine("c"));

    assertThatThrownBy(() -> CloseAll.of(all)).isSameAs(first);

    assertThat(first).hasSuppressedException(second);
    assertThat(closed).containsExactly("a", "b", "c");
  }

  @Test
  void anUncheckedFailureIsThrownAsItIs() {
    List<Closeable> all = List.of(failing(second), fine("a"));

    assertThatThrownBy(() -> CloseAll.of(all)).isSameAs(second);
    assertThatThrownBy(() -> CloseAll.ofAnyKind(all)).isSameAs(second);

    assertThat(closed).containsExactly("a", "a");
  }

  @Test
  void whatIsNoFileThrowsWhatItLikes() {
    Exception checked = new Exception("checked");
    List<AutoCloseable> all =
        List.of(
            () -> {
              throw checked;
            },
            fine("a"));

    assertThatThrownBy(() -> CloseAll.ofAnyKind(all)).isSameAs(checked);

    assertThat(closed).containsExactly("a");
  }

  @Test
  void anEarlierFailureGetsTheLaterOnes() {
    CloseAll.after(second, List.of(failing(first), fine("a")));

    assertThat(second).hasSuppressedException(first);
    assertThat(closed).containsExactly("a");
  }

  @Test
  void nothingIsThrownWhereNothingFails() throws Exception {
    CloseAll.of(List.of(fine("a")));
    CloseAll.ofAnyKind(List.of(fine("b")));

    assertThat(closed).containsExactly("a", "b");
  }
}
