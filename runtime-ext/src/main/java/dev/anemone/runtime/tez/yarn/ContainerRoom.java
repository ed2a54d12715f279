// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.ExecutorGroup;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Counts the containers that the machines of a cluster have room for, by placing them. Machines
 * with a node label are only for groups that name them.
 *
 * @param nodes machines that run
 * @param largest container that YARN allows
 * @param stepMb YARN rounds the memory of containers up to multiples of it, in MB
 * @param masterMemoryMb of the application master, which has one core
 * @param groups of executors
 */
record ContainerRoom(
    List<NodeReport> nodes,
    Resource largest,
    int stepMb,
    int masterMemoryMb,
    List<ExecutorGroup> groups) {

  private static final int MASTER_CORES = 1;

  ContainerRoom {
    nodes = List.copyOf(nodes);
    groups = List.copyOf(groups);
  }

  /** What is free on a machine. */
  private static final class Node {

    private final NodeReport report;
    private long memoryMb;
    private int cores;

    Node(NodeReport report, Resource used) {
      this.report = report;
      this.memoryMb = report.getCapability().getMemorySize() - used.getMemorySize();
      this.cores = report.getCapability().getVirtualCores() - used.getVirtualCores();
    }

    boolean take(long containerMb, int containerCores) {
      if (containerMb > memoryMb || containerCores > cores) {
        return false;
      }
      memoryMb -= containerMb;
      cores -= containerCores;
      return true;
    }
  }

  /**
   * @throws IllegalArgumentException when a container is too large for the cluster
   */
  void requireRoom() {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException(
          "the cluster has no machine that runs, so no job can run there");
    }
    requireRoom("the application master", masterMemoryMb, MASTER_CORES, List.of());
    for (ExecutorGroup group : groups) {
      requireRoom(name(group), group.memoryMb(), group.cores(), group.nodes());
    }
    List<Integer> placed = whenIdle();
    for (int i = 0; i < groups.size(); i++) {
      if (placed.get(i) == 0) {
        throw tooLarge(
            name(groups.get(i)),
            rounded(groups.get(i).memoryMb()),
            groups.get(i).cores(),
            "no machine for it has as much beside the application master's "
                + rounded(masterMemoryMb)
                + " MB and one executor of each other group");
      }
    }
  }

  private static String name(ExecutorGroup group) {
    return "an executor (" + group.kind() + ")";
  }

  private void requireRoom(String what, int memoryMb, int cores, List<String> hosts) {
    long rounded = rounded(memoryMb);
    if (rounded > largest.getMemorySize() || cores > largest.getVirtualCores()) {
      throw tooLarge(
          what,
          rounded,
          cores,
          "YARN allows at most "
              + largest.getMemorySize()
              + " MB and "
              + largest.getVirtualCores()
              + " cores for a container");
    }
    List<NodeReport> eligible = nodes.stream().filter(node -> mayRun(node, hosts)).toList();
    if (eligible.isEmpty()) {
      throw new IllegalArgumentException(
          what
              + " is to run on "
              + (hosts.isEmpty() ? "machines without a label" : String.join(", ", hosts))
              + ", but the cluster has none of them; it has "
              + String.join(
                  ", ",
                  nodes.stream().map(node -> node.getNodeId().getHost()).distinct().toList()));
    }
    if (eligible.stream().noneMatch(node -> fits(node.getCapability(), rounded, cores))) {
      Resource best =
          eligible.stream()
              .map(NodeReport::getCapability)
              .max(Comparator.comparingLong(Resource::getMemorySize))
              .orElseThrow();
      throw tooLarge(
          what,
          rounded,
          cores,
          "the largest machine for it has "
              + best.getMemorySize()
              + " MB and "
              + best.getVirtualCores()
              + " cores");
    }
  }

  /** Executors that fit on the cluster when it is idle, by group. */
  List<Integer> whenIdle() {
    Resource nothing = Resource.newInstance(0L, 0);
    return place(report -> nothing);
  }

  /** Executors that fit beside what runs now, by group. */
  List<Integer> now() {
    return place(NodeReport::getUsed);
  }

  /**
   * The groups take turns, one container at a time, so that none takes all the room. Each fills one
   * machine after the other: room only shrinks, so a machine that was too full stays so.
   */
  private List<Integer> place(Function<NodeReport, Resource> used) {
    List<Node> free = nodes.stream().map(report -> new Node(report, used.apply(report))).toList();
    placeMaster(free);
    int[] placed = new int[groups.size()];
    int[] at = new int[groups.size()];
    boolean any = true;
    while (any) {
      any = false;
      for (int i = 0; i < placed.length; i++) {
        ExecutorGroup group = groups.get(i);
        if (placed[i] < group.count().orElse(Integer.MAX_VALUE)) {
          while (at[i] < free.size() && !takes(free.get(at[i]), group)) {
            at[i]++;
          }
          if (at[i] < free.size()) {
            placed[i]++;
            any = true;
          }
        }
      }
    }
    return Arrays.stream(placed).boxed().toList();
  }

  /** It may run anywhere; the emptiest machine is as good a guess as any. */
  private void placeMaster(List<Node> free) {
    List<Node> emptiestFirst =
        free.stream()
            .filter(node -> mayRun(node.report, List.of()))
            .sorted(Comparator.comparingLong((Node node) -> node.memoryMb).reversed())
            .toList();
    for (Node node : emptiestFirst) {
      if (node.take(rounded(masterMemoryMb), MASTER_CORES)) {
        return;
      }
    }
  }

  private boolean takes(Node node, ExecutorGroup group) {
    return mayRun(node.report, group.nodes())
        && node.take(rounded(group.memoryMb()), group.cores());
  }

  private static boolean mayRun(NodeReport node, List<String> hosts) {
    if (hosts.isEmpty()) {
      return node.getNodeLabels() == null || node.getNodeLabels().isEmpty();
    }
    return hosts.stream().anyMatch(node.getNodeId().getHost()::equalsIgnoreCase);
  }

  private static boolean fits(Resource capability, long memoryMb, int cores) {
    return memoryMb <= capability.getMemorySize() && cores <= capability.getVirtualCores();
  }

  private long rounded(int memoryMb) {
    return (long) ((memoryMb + stepMb - 1) / stepMb) * stepMb;
  }

  private static IllegalArgumentException tooLarge(
      String what, long memoryMb, int cores, String limit) {
    return new IllegalArgumentException(
        what
            + " needs a container of "
            + memoryMb
            + " MB and "
            + cores
            + " cores, but "
            + limit
            + "; ask for less");
  }
}
