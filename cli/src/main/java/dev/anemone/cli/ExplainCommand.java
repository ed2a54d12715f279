// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code anemone explain}: the plan after each pass, without running it. */
@Command(
    name = ExplainCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Prints the plan of a pipeline after each pass, and does not run it.",
      "",
      "  --explain=FORMAT  text (default), json or dot",
      "  --classpath=JAR:DIRECTORY...  where the classes of MAIN_CLASS are",
      "",
      "Example: anemone explain com.example.MyPipeline --classpath=my-pipeline.jar --input=...",
      ""
    })
final class ExplainCommand implements PassThroughCommand {
  static final String NAME = "explain";

  private final List<ExplainableCommand> programs;

  /**
   * A command.
   *
   * @param programs what it can explain besides main classes
   */
  ExplainCommand(List<ExplainableCommand> programs) {
    this.programs = List.copyOf(programs);
  }

  /** picocli calls this. */
  @Spec
  void describe(CommandSpec command) {
    String choice =
        Stream.concat(Stream.of("MAIN_CLASS"), programs.stream().map(PassThroughCommand::name))
            .collect(Collectors.joining(" | "));
    command
        .usageMessage()
        .customSynopsis(
            "anemone explain "
                + (programs.isEmpty() ? choice : "(" + choice + ")")
                + " [--explain=FORMAT] [arguments]");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> given) throws Throwable {
    List<String> arguments = NemoFlags.translated(given);
    if (arguments.isEmpty()) {
      throw new WrongUsageException(
          "The program is missing. Give "
              + programs.stream()
                  .map(program -> program.name() + ", ")
                  .collect(Collectors.joining("", "", programs.isEmpty() ? "" : "or "))
              + "the full name of a main class.");
    }
    String program = arguments.get(0);
    List<String> options = new ArrayList<>(arguments.subList(1, arguments.size()));
    options.removeIf(option -> option.startsWith("--explainOnly"));
    options.add("--explainOnly=true");
    if (!BeamArguments.has(options, "--explain=")) {
      options.add("--explain=text");
    }
    Optional<ExplainableCommand> command =
        programs.stream().filter(known -> known.name().equals(program)).findFirst();
    if (command.isPresent()) {
      command.get().pipeline(List.copyOf(options)).run();
    } else {
      MainClass.named(program).run(BeamArguments.forProgram(options));
    }
  }
}
