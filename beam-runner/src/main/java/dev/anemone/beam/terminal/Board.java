// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The last lines of a terminal, which change as jobs go on. The cursor rests on an empty line above
 * them, so that what others print takes that line, and the board goes on below it. Thread-safe.
 */
final class Board {

  /** Of the standard error stream of this JVM. */
  static final Board OF_STANDARD_ERROR = new Board(() -> System.err);

  /** To the first column, and everything behind the cursor cleared. */
  private static final String CLEAR = "\r\u001b[J";

  private final Supplier<PrintStream> out;
  private final Map<Object, List<String>> blocks = new LinkedHashMap<>();
  private List<String> shown = List.of();

  Board(Supplier<PrintStream> out) {
    this.out = out;
  }

  /** Shows lines in the place of those that the same owner has shown before. */
  synchronized void show(Object owner, List<String> lines) {
    blocks.put(owner, List.copyOf(lines));
    draw();
  }

  /** Shows nothing more of an owner. */
  synchronized void clear(Object owner) {
    if (blocks.remove(owner) != null) {
      draw();
    }
  }

  private void draw() {
    List<String> lines = new ArrayList<>();
    blocks.values().forEach(lines::addAll);
    if (lines.equals(shown)) {
      return;
    }
    StringBuilder text = new StringBuilder(CLEAR);
    lines.forEach(line -> text.append('\n').append(line));
    if (!lines.isEmpty()) {
      // Up again.
      text.append("\u001b[").append(lines.size()).append("A\r");
    }
    shown = lines;
    PrintStream target = out.get();
    target.print(text);
    target.flush();
  }
}
