// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.CommandLine;

/** The commands: the product's own, and behind them those of {@link CommandProvider}s. */
final class Commands {
  private final List<CommandProvider> providers;
  private final List<PassThroughCommand> programs = new ArrayList<>();

  /** The product's own commands and those of some providers. */
  Commands(List<CommandProvider> providers) {
    this.providers = List.copyOf(providers);
    List<PassThroughCommand> added =
        this.providers.stream().flatMap(provider -> provider.programs().stream()).toList();
    programs.add(new RunCommand());
    programs.add(new ExplainCommand(explainable(added)));
    programs.add(new AttachCommand());
    programs.addAll(added);
    requireDistinctNames(programs);
  }

  /** The product's own commands and those of all providers on the class path. */
  static Commands found() {
    return new Commands(
        ServiceLoader.load(CommandProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /** The command of that name if it passes its arguments through. */
  Optional<PassThroughCommand> program(String name) {
    return programs.stream().filter(program -> program.name().equals(name)).findFirst();
  }

  /** Makes all of them known to picocli. */
  CommandLine addTo(CommandLine commandLine) {
    programs.forEach(commandLine::addSubcommand);
    commandLine.addSubcommand(new PoolCommand());
    commandLine.addSubcommand(new NdpProxyCommand());
    commandLine.addSubcommand(new CompletionCommand());
    providers.forEach(provider -> provider.tools().forEach(commandLine::addSubcommand));
    return commandLine;
  }

  /** What all providers want to be run for {@link StartUpTraining}. */
  List<List<String>> training(Path directory) throws IOException {
    List<List<String>> training = new ArrayList<>();
    for (CommandProvider provider : providers) {
      training.addAll(provider.training(directory));
    }
    return training;
  }

  private static List<ExplainableCommand> explainable(List<PassThroughCommand> programs) {
    return programs.stream()
        .filter(ExplainableCommand.class::isInstance)
        .map(ExplainableCommand.class::cast)
        .toList();
  }

  private static void requireDistinctNames(List<PassThroughCommand> programs) {
    Set<String> names = new HashSet<>();
    for (PassThroughCommand program : programs) {
      if (!names.add(program.name())) {
        throw new IllegalStateException(
            "There are two commands "
                + program.name()
                + ", one of them "
                + program.getClass().getName()
                + ". Take the jar of one of them off the class path.");
      }
    }
  }
}
