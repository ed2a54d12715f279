// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.beam.NemoRunner;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;

/** {@code anemone attach}: waits for a job that was detached, and says what has come of it. */
@Command(
    name = AttachCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone attach APPLICATION_ID [--hadoopConfDir=DIRECTORY] [--progress=off] [--report=FILE]",
    description = {
      "Waits for a job that was started with --detached, and reports on it.",
      "Prints its state and what it has counted. Fails if the job has not succeeded.",
      "Interrupting it leaves the job alone.",
      "",
      "  APPLICATION_ID             what the job printed when it was started",
      "  --classpath=JAR:DIRECTORY...  where the classes of the job's exceptions are",
      "  --hadoopConfDir=DIRECTORY  configuration of the cluster (default: HADOOP_CONF_DIR)",
      "",
      "Example: anemone attach application_1767225600000_0001",
      ""
    })
final class AttachCommand implements PassThroughCommand {
  static final String NAME = "attach";

  private static final String HINT =
      " Give the one that the job printed when it was started, such as"
          + " anemone attach application_1767225600000_0001.";
  private static final Pattern APPLICATION_ID = Pattern.compile("application_[0-9]+_[0-9]+");

  private final BiFunction<PipelineOptions, String, PipelineResult> attach;

  /** Attaches to jobs of NemoRunner. */
  AttachCommand() {
    this(NemoRunner::attach);
  }

  /**
   * A command.
   *
   * @param attach finds a job by options that name the cluster, and the application's id
   */
  AttachCommand(BiFunction<PipelineOptions, String, PipelineResult> attach) {
    this.attach = attach;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    if (arguments.isEmpty()) {
      throw new WrongUsageException("The application's id is missing." + HINT);
    }
    if (!APPLICATION_ID.matcher(arguments.get(0)).matches()) {
      throw new WrongUsageException(arguments.get(0) + " is no application's id." + HINT);
    }
    String job = arguments.get(0);
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                BeamArguments.forProgram(arguments.subList(1, arguments.size())))
            .withValidation()
            .create();
    PipelineResult result = attach.apply(options, job);
    try {
      State state = result.waitUntilFinish();
      if (state != State.DONE) {
        throw new IllegalStateException("The job " + job + " ended in state " + state + ".");
      }
    } finally {
      JobReport.print(job, result, System.out);
    }
  }
}
