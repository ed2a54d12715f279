// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.cli;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.cli.VersionText;
import dev.anemone.ui.server.LogDirectory;
import dev.anemone.ui.server.UiServer;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code anemone ui}: the pages of jobs that have ended, from their event logs. */
@Command(
    name = "ui",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Serves the pages of jobs that wrote an event log (--eventLog=DIRECTORY), until it is ended.",
      "",
      "Example: anemone ui --logs=hdfs:///logs/anemone",
      ""
    })
final class UiCommand implements Callable<Integer> {

  @Option(
      names = "--logs",
      required = true,
      paramLabel = "DIRECTORY",
      description = "Directory with the event logs, on this machine or hdfs://.")
  private String logs;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Where it listens; when somebody else does, at the next one (default: the first from 4040"
              + " that is free).")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--uiHost",
      defaultValue = "127.0.0.1",
      paramLabel = "HOST",
      description =
          "Name or address at which it listens (default: ${DEFAULT-VALUE}). Beyond this machine it"
              + " wants a token, which is in the address that it prints.")
  private String host;

  @Option(
      names = "--hadoopConfDir",
      paramLabel = "DIRECTORY",
      description = "Configuration of the cluster, for hdfs:// (default: HADOOP_CONF_DIR).")
  private String hadoopConfDir;

  @Override
  public Integer call() throws InterruptedException {
    ClusterOptions options = PipelineOptionsFactory.create().as(NemoPipelineOptions.class);
    if (hadoopConfDir != null) {
      options.setHadoopConfDir(hadoopConfDir);
    }
    FileSystems.setDefaultPipelineOptions(options);
    LogDirectory jobs = new LogDirectory(logs);
    try (UiServer server =
        port.isPresent()
            ? UiServer.start(host, port.get(), jobs)
            : UiServer.startAnywhere(host, jobs)) {
      if (port.isPresent() && port.get() != 0 && port.get() != server.port()) {
        System.err.println("Port " + port.get() + " is taken.");
      }
      System.err.println("Jobs of " + logs + ": " + server.address());
      new CountDownLatch(1).await();
      return 0;
    }
  }
}
