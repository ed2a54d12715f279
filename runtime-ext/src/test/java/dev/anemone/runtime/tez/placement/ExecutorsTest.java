// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static dev.anemone.ir.property.ResourcePriority.NONE;
import static dev.anemone.ir.property.ResourcePriority.RESERVED;
import static dev.anemone.ir.property.ResourcePriority.TRANSIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.InvalidJobException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExecutorsTest {

  private static final ResourceSlot ANY = new ResourceSlot(0, 0, 0);

  private static final ExecutorGroup PASSING = group(TRANSIENT, 1024, 5, "t1", "t2");
  private static final ExecutorGroup STAYING = group(RESERVED, 2048, 2, "r1");

  private static ExecutorGroup group(
      ResourcePriority kind, int memoryMb, int count, String... nodes) {
    return new ExecutorGroup(kind, memoryMb, 1, Optional.of(count), List.of(nodes));
  }

  private static Executors.Choice choice(ResourcePriority priority, ExecutorGroup... groups) {
    return new Executors(List.of(groups)).choose("v", priority, ANY).orElseThrow();
  }

  @Test
  void aVertexGetsExecutorsOfItsKind() {
    assertThat(choice(TRANSIENT, PASSING, STAYING))
        .isEqualTo(new Executors.Choice(1024, 1, List.of("t1", "t2"), false, Optional.of(5)));
    assertThat(choice(RESERVED, PASSING, STAYING))
        .isEqualTo(new Executors.Choice(2048, 1, List.of("r1"), true, Optional.of(2)));
    assertThat(choice(NONE, PASSING, STAYING))
        .isEqualTo(new Executors.Choice(1024, 1, List.of("t1", "t2", "r1"), false, Optional.of(7)));
  }

  @Test
  void whatMayBeRepeatedRunsAnywhereElseIfNeedBe() {
    ExecutorGroup plain = group(NONE, 512, 3);
    assertThat(choice(TRANSIENT, STAYING).hosts()).containsExactly("r1");
    assertThat(choice(TRANSIENT, STAYING).bound()).isFalse();
    assertThat(choice(TRANSIENT, STAYING, plain).memoryMb()).isEqualTo(512);
    assertThat(choice(RESERVED, PASSING, plain))
        .isEqualTo(new Executors.Choice(512, 1, List.of(), false, Optional.of(3)));
  }

  @Test
  void whatIsDearNeverRunsOnTransientExecutors() {
    assertThatThrownBy(
            () -> new Executors(List.of(PASSING)).choose("count (Count words)", RESERVED, ANY))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageStartingWith(
            "vertex count (Count words) needs executors of kind RESERVED, but all executors are"
                + " TRANSIENT; ");
  }

  @Test
  void theSmallestExecutorThatIsLargeEnoughIsTaken() {
    Executors executors =
        new Executors(
            List.of(
                group(NONE, 4096, 1, "c"), group(NONE, 1024, 1, "a"), group(NONE, 2048, 1, "b")));
    assertThat(executors.choose("v", NONE, new ResourceSlot(1500, 0, 0)))
        .contains(new Executors.Choice(2048, 1, List.of("b", "c"), false, Optional.of(2)));
    assertThatThrownBy(() -> executors.choose("v", NONE, new ResourceSlot(1500, 2, 0)))
        .isInstanceOf(InvalidJobException.class)
        .hasMessage(
            "vertex v (NONE) has tasks of 1500 MB and 2 cores, but its executors have 4096 MB and"
                + " 1 cores, 1024 MB and 1 cores, 2048 MB and 1 cores; make its tasks smaller"
                + " (taskMemoryMb, taskCores, hints of the pipeline) or the executors larger");
  }

  @Test
  void aGroupWithoutHostsOrWithoutACountLimitsNothing() {
    ExecutorGroup open = new ExecutorGroup(RESERVED, 2048, 1, Optional.empty(), List.of());
    assertThat(choice(RESERVED, STAYING, open))
        .isEqualTo(new Executors.Choice(2048, 1, List.of(), false, Optional.empty()));
    assertThat(new Executors(List.of()).choose("v", RESERVED, ANY)).isEmpty();
  }

  @Test
  void reservedExecutorsKeepOffTheHostsOfTransientOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Executors(List.of(PASSING, group(RESERVED, 1024, 1, "r1", "t2"))))
        .withMessage("host t2 is named for transient and for reserved executors; choose one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Executors(List.of(PASSING, group(RESERVED, 1024, 1))))
        .withMessageContaining("have the hosts [t1, t2], but reserved executors have none");
  }

  @Test
  void aGroupNeedsOneOfItsHosts() {
    Executors executors = new Executors(List.of(PASSING, STAYING, group(NONE, 512, 1)));
    executors.requireHosts(Set.of("t2", "r1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> executors.requireHosts(Set.of("t2", "t1", "r1.example.com")))
        .withMessage(
            "executors of kind RESERVED are to run on [r1], but the cluster has none of these"
                + " hosts; it has [r1.example.com, t1, t2], and they must be named exactly so");
  }
}
