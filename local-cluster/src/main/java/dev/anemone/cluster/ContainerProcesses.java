// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;

/** The processes of the containers of a NodeManager. */
final class ContainerProcesses {
  private static final Set<String> SHELLS = Set.of("bash", "sh", "dash");
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  private final Context context;

  /** The containers of a NodeManager. */
  ContainerProcesses(Context context) {
    this.context = context;
  }

  /** What runs in the containers, without the shells that started it. */
  List<ProcessHandle> programs() {
    return leaders().map(ContainerProcesses::program).toList();
  }

  /** What runs in a container, without the shell that started it. */
  Optional<ProcessHandle> program(String id) {
    return leader(ContainerId.fromString(id)).map(ContainerProcesses::program);
  }

  /** Kills all processes of all containers, and waits until they are gone. */
  void killAll() {
    Set<ProcessHandle> killed = new HashSet<>();
    Waiting.until(
        () -> {
          List<ProcessHandle> found = leaders().flatMap(ContainerProcesses::tree).toList();
          found.forEach(ProcessHandle::destroyForcibly);
          killed.addAll(found);
          return killed.stream().noneMatch(Liveness::runs);
        },
        KILL_DEADLINE,
        () -> "processes of containers do not end: " + killed);
  }

  private Stream<ProcessHandle> leaders() {
    return context.getContainers().keySet().stream().map(this::leader).flatMap(Optional::stream);
  }

  /** The shell that starts a container's program; empty before it starts and after it has ended. */
  private Optional<ProcessHandle> leader(ContainerId container) {
    String pid = context.getContainerExecutor().getProcessId(container);
    return pid == null
        ? Optional.empty()
        : ProcessHandle.of(Long.parseLong(pid)).filter(Liveness::runs);
  }

  private static Stream<ProcessHandle> tree(ProcessHandle leader) {
    return Stream.concat(leader.descendants(), Stream.of(leader));
  }

  /** A shell becomes its last command, or waits for it as its only child. */
  private static ProcessHandle program(ProcessHandle process) {
    List<ProcessHandle> children = process.children().toList();
    return isShell(process) && children.size() == 1 ? program(children.get(0)) : process;
  }

  private static boolean isShell(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(command -> command.substring(command.lastIndexOf('/') + 1))
        .filter(SHELLS::contains)
        .isPresent();
  }
}
