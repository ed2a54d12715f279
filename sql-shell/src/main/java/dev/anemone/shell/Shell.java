// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.builtins.Less;
import org.jline.builtins.Source;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;

/** The interactive shell on a terminal, which it does not close. */
final class Shell {
  private static final String PROMPT = "anemone> ";
  private static final String NEXT_LINE = "      -> ";

  private final Terminal terminal;
  private final SqlSession session;
  private final ShellRunner runner;
  private final LineReader reader;

  /**
   * A shell.
   *
   * @param history the file that keeps what was typed
   * @throws IOException if the directory of the history cannot be created
   */
  Shell(ShellArguments arguments, Terminal terminal, Path history) throws IOException {
    Files.createDirectories(history.toAbsolutePath().getParent());
    this.terminal = terminal;
    this.session = new SqlSession(arguments.settings(), arguments.maxRows());
    this.runner = new ShellRunner(session, arguments.format(), this::show, terminal.writer());
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(new StatementParser())
            .completer(new SqlCompleter(session))
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, NEXT_LINE)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
  }

  /**
   * Reads and runs statements until the input ends or {@code .quit}. What fails is said, and the
   * next one is asked for.
   */
  void run() {
    // While it reads a line the reader has a handler of its own. There is no moment without one, in
    // which Ctrl-C would end this process.
    Terminal.SignalHandler before = terminal.handle(Signal.INT, signal -> session.cancel());
    try {
      boolean more = true;
      while (more) {
        more = next();
      }
    } finally {
      terminal.handle(Signal.INT, before);
    }
  }

  /** Reads and runs a line; says whether more may follow. */
  private boolean next() {
    session.begin();
    try {
      String line = reader.readLine(PROMPT);
      // Ctrl-C at the very end of a line interrupts this thread, when the line was read already.
      if (Thread.interrupted()) {
        session.cancel();
      }
      return execute(line);
    } catch (UserInterruptException interrupted) {
      // Ctrl-C while typing drops what was typed.
      return true;
    } catch (EndOfFileException end) {
      return false;
    }
  }

  private boolean execute(String text) {
    try {
      return runner.run(text);
    } catch (IOException | RuntimeException error) {
      PrintWriter out = terminal.writer();
      out.println(message(error));
      out.flush();
      return true;
    }
  }

  private static String message(Throwable error) {
    Throwable cause = error;
    while (!(cause instanceof StatementException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /** Prints what fits on the screen, and pages what does not. */
  private void show(String text) {
    long lines = text.lines().count();
    if (terminal.getType().startsWith(Terminal.TYPE_DUMB) || lines < terminal.getHeight()) {
      terminal.writer().print(text);
      terminal.flush();
      return;
    }
    try {
      Source result =
          new Source.InputStreamSource(
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), true, "result");
      Less less = new Less(terminal, Path.of("").toAbsolutePath());
      less.chopLongLines = true;
      less.run(result);
    } catch (InterruptedException | InterruptedIOException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
