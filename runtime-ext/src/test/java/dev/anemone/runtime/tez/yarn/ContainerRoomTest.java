// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;

class ContainerRoomTest {

  private static final Resource LARGEST = Resource.newInstance(8192L, 8);

  private static NodeReport node(
      String host, long memoryMb, int cores, long usedMb, int usedCores, String... labels) {
    return NodeReport.newInstance(
        NodeId.newInstance(host, 1),
        NodeState.RUNNING,
        host + ":2",
        "rack",
        Resource.newInstance(usedMb, usedCores),
        Resource.newInstance(memoryMb, cores),
        0,
        "",
        0,
        Set.of(labels),
        null,
        null);
  }

  private static NodeReport idle(String host, long memoryMb, int cores) {
    return node(host, memoryMb, cores, 0, 0);
  }

  private static ExecutorGroup group(int memoryMb, int cores, Integer count, String... hosts) {
    return new ExecutorGroup(
        ResourcePriority.NONE, memoryMb, cores, Optional.ofNullable(count), List.of(hosts));
  }

  private static ContainerRoom room(List<NodeReport> nodes, ExecutorGroup... groups) {
    return new ContainerRoom(nodes, LARGEST, 256, 512, List.of(groups));
  }

  @Test
  void theApplicationMasterTakesItsShare() {
    assertThat(room(List.of(idle("a", 4096, 8)), group(1024, 1, null)).whenIdle())
        .containsExactly(3);
    assertThat(
            room(List.of(idle("a", 4096, 8), idle("b", 4096, 8)), group(1024, 1, null)).whenIdle())
        .containsExactly(7);
  }

  @Test
  void coresCountAsMemoryDoes() {
    assertThat(room(List.of(idle("a", 8192, 5)), group(512, 2, null)).whenIdle())
        .containsExactly(2);
  }

  @Test
  void yarnRoundsUp() {
    assertThat(room(List.of(idle("a", 2560, 8)), group(1000, 1, null)).whenIdle())
        .containsExactly(2);
    assertThat(room(List.of(idle("a", 2560, 8)), group(1025, 1, null)).whenIdle())
        .containsExactly(1);
  }

  @Test
  void whatElseRunsTakesRoomNow() {
    ContainerRoom room = room(List.of(node("a", 4096, 8, 2048, 1)), group(1024, 1, null));
    assertThat(room.whenIdle()).containsExactly(3);
    assertThat(room.now()).containsExactly(1);
  }

  @Test
  void groupsTakeTurnsUpToTheirCount() {
    List<NodeReport> nodes = List.of(idle("a", 4608, 20), idle("b", 4096, 20));
    assertThat(room(nodes, group(1024, 1, null), group(1024, 1, null)).whenIdle())
        .containsExactly(4, 4);
    assertThat(room(nodes, group(1024, 1, 2), group(1024, 1, null)).whenIdle())
        .containsExactly(2, 6);
  }

  @Test
  void aGroupThatNamesHostsRunsThere() {
    List<NodeReport> nodes = List.of(idle("a", 4608, 20), idle("b", 4096, 20));
    assertThat(room(nodes, group(1024, 1, null, "B")).whenIdle()).containsExactly(4);
  }

  @Test
  void aMachineWithALabelIsForThoseWhoNameIt() {
    List<NodeReport> nodes = List.of(idle("a", 4608, 20), node("b", 4096, 20, 0, 0, "gpu"));
    assertThat(room(nodes, group(1024, 1, null)).whenIdle()).containsExactly(4);
    assertThat(room(nodes, group(1024, 1, null, "b")).whenIdle()).containsExactly(4);
  }

  @Property(tries = 200)
  void whatIsCountedFits(
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1024, max = 20_000) Integer> nodes,
      @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 512, max = 4096) Integer> groups) {
    ContainerRoom room =
        room(
            IntStream.range(0, nodes.size())
                .mapToObj(i -> idle("n" + i, nodes.get(i), 100))
                .toList(),
            groups.stream().map(mb -> group(mb, 1, null)).toArray(ExecutorGroup[]::new));
    List<Integer> placed = room.whenIdle();
    long used = 512;
    for (int i = 0; i < placed.size(); i++) {
      used += (long) placed.get(i) * groups.get(i);
    }
    long all = nodes.stream().mapToLong(Integer::longValue).sum();
    assertThat(used).isLessThanOrEqualTo(all);
    int smallest = groups.stream().mapToInt(Integer::intValue).min().orElseThrow();
    // Each machine may have a rest in which not even the smallest fits.
    assertThat(all - used).isLessThan((smallest + 256L) * nodes.size() + 256L * sum(placed) + 256);
  }

  private static long sum(List<Integer> values) {
    return values.stream().mapToLong(Integer::longValue).sum();
  }

  @Test
  void anExecutorThatYarnDoesNotAllowIsRefused() {
    assertRefused(
        room(List.of(idle("a", 20_000, 20)), group(9000, 1, null)),
        "an executor (NONE) needs a container of 9216 MB and 1 cores",
        "at most 8192 MB and 8 cores");
    assertRefused(
        room(List.of(idle("a", 20_000, 20)), group(1024, 9, null)), "1024 MB and 9 cores");
  }

  @Test
  void anExecutorThatNoMachineHasRoomForIsRefused() {
    assertRefused(
        room(List.of(idle("a", 2048, 20), idle("b", 4096, 20)), group(4097, 1, null)),
        "4352 MB and 1 cores",
        "the largest machine for it has 4096 MB and 20 cores");
    assertRefused(
        room(List.of(idle("a", 2048, 20), idle("b", 4096, 20)), group(4096, 1, null, "a")),
        "the largest machine for it has 2048 MB and 20 cores");
  }

  @Test
  void anExecutorThatFitsOnlyWithoutTheApplicationMasterIsRefused() {
    assertRefused(
        room(List.of(idle("a", 4096, 20)), group(4096, 1, null)), "beside the application master");
  }

  @Test
  void hostsThatTheClusterDoesNotHaveAreNamed() {
    assertRefused(
        room(List.of(idle("a", 4096, 20)), group(1024, 1, null, "x", "y")),
        "is to run on x, y",
        "it has a");
  }

  @Test
  void aClusterWithoutMachinesIsRefused() {
    assertRefused(room(List.of(), group(1024, 1, null)), "no machine that runs");
  }

  private static void assertRefused(ContainerRoom room, String... parts) {
    assertThatThrownBy(room::requireRoom)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }
}
