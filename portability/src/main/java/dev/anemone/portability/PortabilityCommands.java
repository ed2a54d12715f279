// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import dev.anemone.cli.CommandProvider;
import dev.anemone.cli.PassThroughCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** The command {@code job-server}. */
public final class PortabilityCommands implements CommandProvider {

  @Override
  public List<PassThroughCommand> programs() {
    return List.of();
  }

  @Override
  public List<Callable<Integer>> tools() {
    return List.of(new JobServerCommand());
  }

  /** None: a server is started once, and its clients wait longer for their own start. */
  @Override
  public List<List<String>> training(Path directory) {
    return List.of();
  }
}
