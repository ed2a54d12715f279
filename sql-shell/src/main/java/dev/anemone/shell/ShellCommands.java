// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.cli.CommandProvider;
import dev.anemone.cli.PassThroughCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** The command {@code sql}. */
public final class ShellCommands implements CommandProvider {

  @Override
  public List<PassThroughCommand> programs() {
    return List.of(new SqlCommand());
  }

  @Override
  public List<Callable<Integer>> tools() {
    return List.of();
  }

  /** A query of a file. */
  @Override
  public List<List<String>> training(Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("training.csv"), "name,amount\na,1\nb,2\n");
    return List.of(
        List.of("sql", "-e", "SELECT name, SUM(amount) FROM '" + file + "' GROUP BY name"));
  }
}
