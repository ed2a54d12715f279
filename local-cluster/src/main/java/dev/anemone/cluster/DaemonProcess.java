// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts a {@link ClusterDaemon} in a session of its own, which survives the shell. */
final class DaemonProcess {
  private static final List<String> MEMORY = List.of("-Xmx1g", "-XX:+UseSerialGC");
  private static final String LOG_CONFIGURATION = "dev/anemone/cluster/daemon-log4j.properties";

  private DaemonProcess() {}

  /** Starts it; it prints to the home's output. */
  static Process start(ClusterHome home, LocalCluster.Settings settings) throws IOException {
    Files.createDirectories(home.directory());
    Path temporary = Files.createDirectories(home.temporary());
    List<String> command = new ArrayList<>();
    // Ends neither by the terminal's Ctrl-C nor with the terminal.
    command.add(isOnPath("setsid") ? "setsid" : "nohup");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(MEMORY);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-Dlog4j.configuration=" + LOG_CONFIGURATION);
    command.add("-Danemone.cluster.log=" + home.log());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ClusterDaemon.class.getName());
    command.addAll(ClusterDaemon.arguments(home, settings));
    return new ProcessBuilder(command)
        .directory(home.directory().toFile())
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectErrorStream(true)
        .redirectOutput(home.output().toFile())
        .start();
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
