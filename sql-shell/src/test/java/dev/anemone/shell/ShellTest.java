// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell on a terminal of JLine's with a line discipline, at which somebody types. */
class ShellTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";

  @TempDir private Path directory;

  private final Screen screen = new Screen();
  private LineDisciplineTerminal terminal;
  private CompletableFuture<Void> shell;
  private Path history;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(directory.resolve("t.csv"), "ann,1\nbob,2\n");
    history = directory.resolve("home/sql_history");
    terminal = new LineDisciplineTerminal("test", "xterm", screen, StandardCharsets.UTF_8);
    terminal.setSize(new Size(120, 40));
    ShellArguments arguments = ShellArguments.of(List.of("--slots=1", "--format=csv"));
    shell =
        CompletableFuture.runAsync(
            () -> {
              try {
                new Shell(arguments, terminal, history).run();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    await("anemone> ", 1);
  }

  @AfterEach
  void stop() throws Exception {
    try {
      type(CTRL_D);
      shell.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      terminal.close();
    }
  }

  @Test
  void aStatementGoesOverLinesUntilItsSemicolon() throws IOException {
    type("SELECT COUNT(*) AS n\r");
    await("      -> ", 1);
    type("FROM (VALUES (1), (2)) AS t (x);\r");

    await("\"2\"", 1);
    assertThat(Files.readString(history)).contains("COUNT");
  }

  @Test
  void namesOfTablesAndColumnsAreCompleted() throws IOException {
    type(
        "CREATE EXTERNAL TABLE townspeople (inhabitant VARCHAR, age BIGINT) TYPE text LOCATION '"
            + directory.resolve("t.csv")
            + "' TBLPROPERTIES '{\"format\": \"csv\"}';\r");
    await("anemone> ", 2);

    type("SELECT inhab\t, age FROM towns\t ORDER BY age DESC;\r");

    await("\"bob\",\"2\"", 1);
  }

  @Test
  void interruptingDropsTheQueryAndNotTheShell() throws IOException {
    type("SELECT half a line");
    await("a line", 1);
    type(CTRL_C);
    await("anemone> ", 2);

    type("SELECT nothing FROM nowhere;\r");
    await("Line 1, column", 1);
    type("SELECT 41 + 1 AS answer;\r");

    await("\"42\"", 1);
  }

  @Test
  void whatIsLongerThanTheScreenIsPaged() throws IOException {
    Path file = directory.resolve("long.csv");
    StringBuilder lines = new StringBuilder("v\n");
    for (int i = 1_000; i < 1_100; i++) {
      lines.append(i).append('\n');
    }
    Files.writeString(file, lines);

    type("SELECT v FROM '" + file + "' ORDER BY v;\r");
    await("\"1030\"", 1);
    assertThat(screen.text()).doesNotContain("\"1099\"");
    type("G");
    await("\"1099\"", 1);
    type("q");
    await("anemone> ", 2);
    type("SELECT 41 + 1 AS answer;\r");

    await("\"42\"", 1);
  }

  @Test
  void interruptingCancelsTheJobThatRuns() throws IOException {
    type(
        "CREATE EXTERNAL TABLE numbers (v BIGINT) TYPE text LOCATION '"
            + numbers()
            + "' TBLPROPERTIES '{\"format\": \"csv\"}';\r");
    await("anemone> ", 2);

    type("SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c WHERE a.v + b.v + c.v > 7;\r");
    await("> 7;", 1);
    // The first may come before the statement has begun.
    int patience = 600;
    do {
      type(CTRL_C);
      patience--;
    } while (patience > 0 && !screen.shows("The query was cancelled.", 1, Duration.ofMillis(100)));

    await("The query was cancelled.", 1);
    // One Ctrl-C too many drops what is typed next.
    patience = 60;
    do {
      type("SELECT 41 + 1 AS answer;\r");
      patience--;
    } while (patience > 0 && !screen.shows("\"42\"", 1, Duration.ofSeconds(1)));

    await("\"42\"", 1);
  }

  private Path numbers() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append(i).append('\n');
    }
    return Files.writeString(directory.resolve("numbers.csv"), lines);
  }

  private void type(String text) throws IOException {
    terminal.processInputBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void await(String text, int times) {
    assertThat(screen.shows(text, times, PATIENCE)).as(screen.text()).isTrue();
  }

  /** What the terminal has shown, control sequences included. */
  private static final class Screen extends OutputStream {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int character) {
      shown.write(character);
      notifyAll();
    }

    synchronized String text() {
      return shown.toString(StandardCharsets.UTF_8);
    }

    /** Waits until a text was shown so many times; whether it was in time. */
    synchronized boolean shows(String text, int times, Duration patience) {
      long end = System.nanoTime() + patience.toNanos();
      while (text().split(Pattern.quote(text), -1).length - 1 < times) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        try {
          wait(left);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return true;
    }
  }
}
