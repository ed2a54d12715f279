// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import dev.anemone.cli.VersionText;
import dev.anemone.portability.server.JobLimits;
import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code anemone job-server}: takes jobs of other SDKs until it is stopped. */
@Command(
    name = "job-server",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Serves Beam's Job API on this machine, in the foreground, until an interrupt ends it.",
      "Pipelines of Python run on NemoRunner with it:",
      "  python -m my.pipeline --runner=PortableRunner --job_endpoint=localhost:8099 \\",
      "    --environment_type=LOOPBACK --optimization_policy=LargeShuffle",
      "Options of the runner are given with the pipeline, as above, or with this command for all",
      "pipelines that do not have them: --deployMode=yarn --executorMemoryMb=1536 ...",
      ""
    })
final class JobServerCommand implements Callable<Integer> {

  @Option(
      names = {"--port", "--job-port"},
      defaultValue = "8099",
      paramLabel = "PORT",
      description = "Where jobs are submitted (default: ${DEFAULT-VALUE}); 0 for any free port.")
  private int port;

  @Option(
      names = {"--artifactPort", "--artifact-port"},
      defaultValue = "0",
      paramLabel = "PORT",
      description = "Where programs stage their files (default: 0, any free port).")
  private int artifactPort;

  @Option(
      names = {"--expansionPort", "--expansion-port"},
      defaultValue = "0",
      paramLabel = "PORT",
      description = "Where Java's transforms are expanded (default: 0, any free port).")
  private int expansionPort;

  @Option(
      names = {"--artifactsDir", "--artifacts-dir"},
      paramLabel = "DIRECTORY",
      description =
          "Where staged files are kept while their jobs run (default: anemone-artifacts "
              + "in the system's directory for temporary files).")
  private Path artifactsDirectory =
      Path.of(System.getProperty("java.io.tmpdir"), "anemone-artifacts");

  @Option(
      names = {"--preparedJobSeconds", "--prepared-job-seconds"},
      defaultValue = "3600",
      paramLabel = "SECONDS",
      description =
          "How long a job that was prepared and is not run is kept, with the files that "
              + "were staged for it (default: ${DEFAULT-VALUE}).")
  private long preparedJobSeconds;

  @Option(
      names = {"--endedJobs", "--ended-jobs"},
      defaultValue = "100",
      paramLabel = "N",
      description =
          "Of how many jobs that have ended states, messages and metrics are kept "
              + "(default: ${DEFAULT-VALUE}).")
  private int endedJobs;

  @Option(
      names = {"--parentProcess", "--parent-process"},
      paramLabel = "PID",
      description =
          "The process of the program that the server is for: the server ends when it does, "
              + "however that is (default: until an interrupt).")
  private Long parentProcess;

  @Spec private CommandSpec command;

  @Unmatched private List<String> options = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    CompletableFuture<?> end = endOfParent();
    JobServerSettings settings =
        new JobServerSettings(
            port,
            artifactPort,
            expansionPort,
            artifactsDirectory,
            new JobLimits(Duration.ofSeconds(preparedJobSeconds), endedJobs),
            options);
    try (JobServer server = JobServer.start(settings)) {
      System.err.println(
          "anemone: job server "
              + server.jobEndpoint()
              + ", artifacts "
              + server.artifactEndpoint()
              + ", expansion "
              + server.expansionEndpoint());
      end.get();
      System.err.println("anemone: job server ends, as process " + parentProcess + " has ended");
    }
    return 0;
  }

  /** Never, without such a process. */
  private CompletableFuture<?> endOfParent() {
    if (parentProcess == null) {
      return new CompletableFuture<>();
    }
    return ProcessHandle.of(parentProcess)
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "--parentProcess=" + parentProcess + ": there is no such process."))
        .onExit();
  }
}
