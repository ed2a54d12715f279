// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.InvalidJobException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The executors of a job, from which each vertex gets those of its kind. Immutable.
 *
 * <p>A vertex with no priority runs on any of them. One that may run on transient executors takes
 * these, else executors of no declared kind, else reserved ones. One that needs reserved executors
 * takes these, else executors of no declared kind, but never transient ones.
 */
final class Executors {

  private final List<ExecutorGroup> groups;

  /**
   * Executors of these groups.
   *
   * @throws IllegalArgumentException when a host is named for transient and for reserved executors,
   *     or when reserved executors may run on the hosts of transient ones
   */
  Executors(List<ExecutorGroup> groups) {
    this.groups = List.copyOf(groups);
    Set<String> passing = hosts(ofKind(ResourcePriority.TRANSIENT));
    for (ExecutorGroup reserved : ofKind(ResourcePriority.RESERVED)) {
      if (reserved.nodes().isEmpty() && !passing.isEmpty()) {
        throw new IllegalArgumentException(
            "transient executors have the hosts "
                + passing
                + ", but reserved executors have none, so that they could run on these too; name"
                + " the hosts of the reserved executors");
      }
      for (String host : reserved.nodes()) {
        if (passing.contains(host)) {
          throw new IllegalArgumentException(
              "host " + host + " is named for transient and for reserved executors; choose one");
        }
      }
    }
  }

  /**
   * What a vertex gets.
   *
   * @param memoryMb memory of a container in MB
   * @param cores virtual cores of a container
   * @param hosts where its tasks run, without duplicates; empty for anywhere
   * @param bound whether they must not run elsewhere
   * @param count how many tasks of its kind run at a time, at most; empty for no limit
   */
  record Choice(
      int memoryMb, int cores, List<String> hosts, boolean bound, Optional<Integer> count) {

    Choice {
      hosts = List.copyOf(hosts);
      Objects.requireNonNull(count, "count");
    }
  }

  /**
   * The executors of a vertex: of the groups of its kind the smallest that is large enough gives
   * the size, and all that are large enough give the hosts.
   *
   * @param vertex how a message calls it
   * @param slot what a task occupies, 0 for whatever an executor has
   * @return empty when no executors were described, as in this JVM
   * @throws InvalidJobException naming the vertex and the kind, when no executor will do
   */
  Optional<Choice> choose(String vertex, ResourcePriority priority, ResourceSlot slot) {
    if (groups.isEmpty()) {
      return Optional.empty();
    }
    List<ExecutorGroup> fitting =
        eligible(vertex, priority).stream()
            .filter(group -> group.memoryMb() >= slot.memoryMb() && group.cores() >= slot.cores())
            .sorted(
                Comparator.comparingInt(ExecutorGroup::memoryMb)
                    .thenComparingInt(ExecutorGroup::cores))
            .toList();
    if (fitting.isEmpty()) {
      throw tooSmall(vertex, priority, slot);
    }
    boolean anywhere = fitting.stream().anyMatch(group -> group.nodes().isEmpty());
    return Optional.of(
        new Choice(
            fitting.get(0).memoryMb(),
            fitting.get(0).cores(),
            anywhere ? List.of() : List.copyOf(hosts(fitting)),
            !anywhere
                && priority == ResourcePriority.RESERVED
                && fitting.get(0).kind() == ResourcePriority.RESERVED,
            count(fitting)));
  }

  private List<ExecutorGroup> eligible(String vertex, ResourcePriority priority) {
    List<ResourcePriority> kinds =
        switch (priority) {
          case NONE -> List.of();
          case TRANSIENT ->
              List.of(ResourcePriority.TRANSIENT, ResourcePriority.NONE, ResourcePriority.RESERVED);
          case RESERVED -> List.of(ResourcePriority.RESERVED, ResourcePriority.NONE);
        };
    if (kinds.isEmpty()) {
      return groups;
    }
    return kinds.stream()
        .map(this::ofKind)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidJobException(
                    "vertex "
                        + vertex
                        + " needs executors of kind "
                        + priority
                        + ", but all executors are TRANSIENT; describe "
                        + priority
                        + " executors too, or use a policy that needs none, such as Default"));
  }

  private InvalidJobException tooSmall(
      String vertex, ResourcePriority priority, ResourceSlot slot) {
    return new InvalidJobException(
        "vertex "
            + vertex
            + " ("
            + priority
            + ") has tasks of "
            + slot.memoryMb()
            + " MB and "
            + slot.cores()
            + " cores, but its executors have "
            + eligible(vertex, priority).stream()
                .map(group -> group.memoryMb() + " MB and " + group.cores() + " cores")
                .distinct()
                .collect(Collectors.joining(", "))
            + "; make its tasks smaller (taskMemoryMb, taskCores, hints of the pipeline) or the"
            + " executors larger");
  }

  private List<ExecutorGroup> ofKind(ResourcePriority kind) {
    return groups.stream().filter(group -> group.kind() == kind).toList();
  }

  private static Set<String> hosts(List<ExecutorGroup> of) {
    return of.stream()
        .flatMap(group -> group.nodes().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Optional<Integer> count(List<ExecutorGroup> of) {
    return of.stream()
        .map(ExecutorGroup::count)
        .reduce((one, other) -> one.flatMap(a -> other.map(b -> Math.addExact(a, b))))
        .flatMap(sum -> sum);
  }

  /**
   * Sees to it that there is a host for every group that names some.
   *
   * @param running the hosts on which the cluster can run containers, as it calls them
   * @throws IllegalArgumentException naming the hosts of a group of which none is there
   */
  void requireHosts(Set<String> running) {
    for (ExecutorGroup group : groups) {
      if (!group.nodes().isEmpty() && group.nodes().stream().noneMatch(running::contains)) {
        throw new IllegalArgumentException(
            "executors of kind "
                + group.kind()
                + " are to run on "
                + group.nodes()
                + ", but the cluster has none of these hosts; it has "
                + running.stream().sorted().toList()
                + ", and they must be named exactly so");
      }
    }
  }
}
