// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code anemone completion}: a script with which a shell completes commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Prints a script with which a shell completes the commands of anemone, and their options.",
      ""
    },
    footer = {
      "",
      "Example: source <(anemone completion bash)     in ~/.bashrc, or with zsh in ~/.zshrc"
    })
final class CompletionCommand implements Callable<Integer> {

  /** The shells that there is a script for, as they are typed. */
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec command;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell;

  @Override
  public Integer call() {
    CommandSpec root = command.root();
    String script = AutoComplete.bash(root.name(), root.commandLine());
    if (shell == Shell.zsh) {
      // The script is bash's; zsh reads it with what it has for that.
      script =
          "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
              + script;
    }
    System.out.print(script);
    System.out.flush();
    return 0;
  }
}
