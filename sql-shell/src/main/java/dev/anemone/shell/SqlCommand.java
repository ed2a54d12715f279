// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.cli.PassThroughCommand;
import dev.anemone.cli.VersionText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;

/** {@code anemone sql}: Beam SQL on NemoRunner, in a shell or from a script. */
@Command(
    name = SqlCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone sql [-e \"STATEMENTS\" | -f FILE] [--format=FORMAT] [--maxRows=N] [Beam options]",
    description = {
      "Runs statements of Beam SQL: those of -e, -f or the standard input, else a shell.",
      "Files can be asked as they are: SELECT ... FROM 'data/*.parquet' (also .csv, .json).",
      "",
      "  -e \"STATEMENTS\"   runs these, separated by semicolons",
      "  -f FILE           runs those of a file",
      "  --format=FORMAT   table (default), csv, json or markdown",
      "  --maxRows=N       rows of a result in the shell, 0 for all (default: 10000)",
      "  --optimizationPolicy=NAME and all other options of the runner",
      "",
      "Example: anemone sql -e \"SELECT COUNT(*) FROM 'orders.csv'\"",
      ""
    })
final class SqlCommand implements PassThroughCommand {
  static final String NAME = "sql";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> given) throws Throwable {
    ShellArguments arguments = ShellArguments.of(given);
    if (arguments.text().isEmpty() && arguments.file().isEmpty()) {
      // JLine's is dumb where the standard input is no terminal.
      try (Terminal terminal = TerminalBuilder.builder().name("anemone").dumb(true).build()) {
        if (!terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
          Path history = Path.of(System.getProperty("user.home"), ".anemone", "sql_history");
          new Shell(arguments, terminal, history).run();
          return;
        }
      }
    }
    script(arguments, System.out, System.err);
  }

  private static void script(ShellArguments arguments, PrintStream out, PrintStream err)
      throws IOException {
    ShellRunner runner =
        new ShellRunner(
            new SqlSession(arguments.settings(), 0),
            arguments.format(),
            text -> {
              out.print(text);
              out.flush();
            },
            new PrintWriter(err, true, Charset.defaultCharset()));
    if (arguments.file().isPresent()) {
      runner.read(arguments.file().get());
    } else if (arguments.text().isPresent()) {
      runner.run(arguments.text().get());
    } else {
      runner.run(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
