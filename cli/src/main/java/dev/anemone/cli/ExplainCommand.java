// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code anemone explain}: the plan and how it came about, without running it. */
@Command(
    name = ExplainCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Prints the plan of a pipeline and what the policy decided, and does not run it.",
      "",
      "  --verbose         the whole plan after each pass, as --format=text",
      "  --format=FORMAT   tree (default), text, json, dot, or svg for a picture",
      "  --classpath=JAR:DIRECTORY...  where the classes of MAIN_CLASS are",
      "",
      "Example: anemone explain com.example.MyPipeline --classpath=my-pipeline.jar --input=...",
      ""
    })
final class ExplainCommand implements PassThroughCommand {
  static final String NAME = "explain";

  private static final String VERBOSE = "--verbose";

  /** The second one is the option that pipelines have. */
  private static final Pattern FORMAT = Pattern.compile("--(format|explain)=");

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
                + " [--verbose | --format=FORMAT] [arguments]");
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
    format(options);
    Optional<ExplainableCommand> command =
        programs.stream().filter(known -> known.name().equals(program)).findFirst();
    if (command.isPresent()) {
      command.get().pipeline(List.copyOf(options)).run();
    } else {
      MainClass.named(program).run(BeamArguments.forProgram(options));
    }
  }

  /** Says in the words of the runner how the plan is to be printed. */
  private static void format(List<String> options) {
    boolean isVerbose = options.removeIf(VERBOSE::equals);
    List<String> formats =
        options.stream().filter(option -> FORMAT.matcher(option).lookingAt()).toList();
    if (formats.size() + (isVerbose ? 1 : 0) > 1) {
      throw new WrongUsageException(
          "The plan is printed in one format. Give --verbose, or one --format=FORMAT.");
    }
    options.removeAll(formats);
    String format = formats.isEmpty() ? "tree" : FORMAT.matcher(formats.get(0)).replaceFirst("");
    options.add("--explain=" + (isVerbose ? "text" : format));
  }
}
