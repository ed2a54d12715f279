// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code anemone pool}: servers of the remote memory pool. */
@Command(
    name = "pool",
    synopsisSubcommandLabel = "COMMAND",
    description = {"The remote memory pool: memory of servers, read and written by RDMA.", ""},
    subcommands = {PoolStartCommand.class, PoolStatusCommand.class, PoolStopCommand.class},
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    commandListHeading = "%nCommands:%n",
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Example: anemone pool start --capacity=8g --device=dram --listen=127.0.0.1:7070",
      "         anemone pool status --servers=127.0.0.1:7070",
      "         anemone pool stop --servers=127.0.0.1:7070"
    })
final class PoolCommand implements Runnable {

  @Spec private CommandSpec command;

  /** Without a command there is nothing to do: says which there are. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(command.commandLine(), "Which command?");
  }
}
