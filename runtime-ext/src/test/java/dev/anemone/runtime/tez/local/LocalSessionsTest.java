// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSessionsTest {

  private static final LocalSession.Settings SETTINGS = new LocalSession.Settings(1, 1.0);

  @TempDir private Path root;

  @Test
  void whatWasPreparedIsBorrowed() throws Exception {
    LocalSessions sessions = new LocalSessions(root);
    sessions.prepare(SETTINGS);
    sessions.prepare(SETTINGS);
    LocalSession session = sessions.borrow(SETTINGS);
    try {
      assertThat(directories()).containsExactly("session0");
      sessions.giveBack(session);
      sessions.prepare(SETTINGS);
      assertThat(sessions.borrow(SETTINGS)).isSameAs(session);
      assertThat(directories()).containsExactly("session0");
    } finally {
      session.stop();
    }
  }

  @Test
  void whoBorrowsGetsWhatHasMadeItFail() throws Exception {
    LocalSessions sessions = new LocalSessions(root);
    // In the place of the session's directory.
    Files.createFile(root.resolve("session0"));
    sessions.prepare(SETTINGS);
    assertThatThrownBy(() -> sessions.borrow(SETTINGS))
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("session0");
    sessions.borrow(SETTINGS).stop();
  }

  private List<String> directories() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("session"))
          .toList();
    }
  }
}
