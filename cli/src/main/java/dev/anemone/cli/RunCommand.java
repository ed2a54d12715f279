// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code anemone run}: runs the main class of a Beam program. */
@Command(
    name = RunCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis = {
      "anemone run MAIN_CLASS [--classpath=JAR:DIRECTORY...] [arguments]",
      "       anemone run -user_main MAIN_CLASS [-user_args \"ARGUMENTS\"] [flags of Apache Nemo]"
    },
    description = {
      "Runs the main class of a Beam program.",
      "Its arguments are passed on; --runner=NemoRunner is added unless they name a runner. Waits",
      "for the pipelines that the program starts, unless they are detached, and fails if one of",
      "them fails.",
      "",
      "  --classpath=JAR:DIRECTORY...  where the program's classes are",
      "  --deployMode=yarn --hadoopConfDir=DIRECTORY  on a Hadoop cluster",
      "",
      "Flags of Apache Nemo: -job_id, -deploy_mode (local or yarn), -executor_json,",
      "-optimization_policy, -max_task_attempt, -dag_dir, -driver_mem_mb, -memory_pool_size_mb.",
      ""
    })
final class RunCommand implements PassThroughCommand {
  static final String NAME = "run";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> given) throws Throwable {
    List<String> arguments = NemoFlags.translated(given);
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
