// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jline.builtins.ScreenTerminal;
import org.junit.jupiter.api.Test;

/** What a terminal shows of it. */
class BoardTest {

  private final ScreenTerminal terminal = new ScreenTerminal(30, 6);
  private final PrintStream out =
      new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
        @Override
        public void print(String text) {
          // As a terminal's line discipline does.
          terminal.write(text.replace("\n", "\r\n"));
        }

        @Override
        public void print(Object text) {
          print(String.valueOf(text));
        }
      };
  private final Board board = new Board(() -> out);

  private List<String> screen() {
    return terminal
        .toString()
        .lines()
        .map(String::stripTrailing)
        .filter(l -> !l.isEmpty())
        .toList();
  }

  @Test
  void linesTakeThePlaceOfThoseBefore() {
    Object job = "job";
    board.show(job, List.of("read 10 %", "count 0 %"));
    board.show(job, List.of("count 50 %"));

    assertThat(screen()).containsExactly("count 50 %");
    board.clear(job);
    assertThat(screen()).isEmpty();
  }

  @Test
  void whatOthersPrintStays() {
    board.show("job", List.of("read 10 %"));
    out.print("The job's page is at ...\n");
    board.show("job", List.of("read 20 %"));
    out.print("a warning\n");
    board.show("job", List.of("read 30 %"));

    assertThat(screen()).containsExactly("The job's page is at ...", "a warning", "read 30 %");
  }

  @Test
  void jobsSideBySideStandBelowEachOther() {
    board.show("one", List.of("one 10 %"));
    board.show("two", List.of("two 10 %"));
    board.show("one", List.of("one 20 %"));
    assertThat(screen()).containsExactly("one 20 %", "two 10 %");

    board.clear("one");
    assertThat(screen()).containsExactly("two 10 %");
  }

  @Test
  void atTheBottomOfTheScreenItScrolls() {
    for (int line = 1; line <= 6; line++) {
      out.print("line " + line + "\n");
    }
    board.show("job", List.of("read 10 %", "count 0 %"));
    board.show("job", List.of("read 20 %", "count 5 %"));

    assertThat(screen()).containsExactly("line 4", "line 5", "line 6", "read 20 %", "count 5 %");
  }
}
