// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.cli;

import dev.anemone.cli.CommandProvider;
import dev.anemone.cli.PassThroughCommand;
import dev.anemone.ui.jobs.JobsCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** The commands of this module. */
public final class UiCommands implements CommandProvider {

  @Override
  public List<PassThroughCommand> programs() {
    return List.of();
  }

  @Override
  public List<Callable<Integer>> tools() {
    return List.of(new UiCommand(), new JobsCommand());
  }

  /** A server ends when somebody ends it, and is started seldom. */
  @Override
  public List<List<String>> training(Path directory) {
    return List.of();
  }
}
