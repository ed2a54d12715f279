// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Where the progress of one job is shown. Used by one thread. */
sealed interface ProgressDisplay {

  /** After which time of a job it is shown first, and how long that stays. */
  Duration pace();

  /** Shows how far the job is. */
  void show(JobFigures job, LastRun before);

  /** Takes away what is to be seen only while the job runs. */
  void clear();

  /** The standard error stream's: bars on a terminal, plain lines elsewhere. */
  static ProgressDisplay ofStandardError() {
    Optional<Screen> screen = Screen.ofStandardError();
    return screen.isPresent()
        ? new Bars(Board.OF_STANDARD_ERROR, screen.get()::columns)
        : new PlainLines(System.err);
  }

  /** Lines with bars, drawn again and again. */
  final class Bars implements ProgressDisplay {

    private static final Duration REDRAWN = Duration.ofMillis(250);

    private final Board board;
    private final IntSupplier columns;

    /**
     * Bars of one job.
     *
     * @param columns of the terminal now
     */
    Bars(Board board, IntSupplier columns) {
      this.board = board;
      this.columns = columns;
    }

    @Override
    public Duration pace() {
      return REDRAWN;
    }

    @Override
    public void show(JobFigures job, LastRun before) {
      board.show(
          this, ProgressText.bars(job, before, System.currentTimeMillis(), columns.getAsInt()));
    }

    @Override
    public void clear() {
      board.clear(this);
    }
  }

  /** Lines that stay, a few a minute. */
  record PlainLines(PrintStream out) implements ProgressDisplay {

    private static final Duration LINES = Duration.ofSeconds(10);

    @Override
    public Duration pace() {
      return LINES;
    }

    @Override
    public void show(JobFigures job, LastRun before) {
      ProgressText.plain(job, before, System.currentTimeMillis()).forEach(out::println);
    }

    @Override
    public void clear() {
      // They stay.
    }
  }
}
