package dev.anemone.examples.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code anemone run}: runs the main class of a Beam program. */
@Command(
    name = RunCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis = "anemone run MAIN_CLASS [--classpath=JAR:DIRECTORY...] [arguments]",
    description = {
      "Runs the main class of a Beam program.",
      "Its arguments are passed on; --runner=NemoRunner is added unless they name a runner. Waits",
      "for the pipelines that the program starts, and fails if one of them fails.",
      "",
      "  --classpath=JAR:DIRECTORY...  where the program's classes are",
      ""
    })
final class RunCommand extends PassThroughCommand {
  static final String NAME = "run";

  @Override
  void call(List<String> arguments) throws Throwable {
    if (arguments.isEmpty()) {
      throw new WrongUsageException(
          "The main class is missing. Give its full name, such as"
              + " anemone run com.example.MyPipeline --classpath=my-pipeline.jar --input=...");
    }
    MainClass.named(arguments.get(0))
        .run(BeamArguments.forProgram(arguments.subList(1, arguments.size())));
    LaunchedRunner.awaitStarted();
  }
}
