// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.VertexProperty;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExecutionPropertiesTest {

  @Test
  void keepsOneValuePerTypeAndNeverChanges() {
    ExecutionProperties<VertexProperty> empty = ExecutionProperties.empty();
    ExecutionProperties<VertexProperty> two = empty.with(new Parallelism(2));

    assertThat(two.with(new Parallelism(3)).values()).containsExactly(new Parallelism(3));
    assertThat(two.get(Parallelism.class)).contains(new Parallelism(2));
    assertThat(two.without(Parallelism.class)).isEqualTo(empty);
    assertThat(empty.values()).isEmpty();
  }

  @Test
  void aPropertyOfSeveralFormsIsOneProperty() {
    ExecutionProperties<EdgeProperty> properties =
        ExecutionProperties.of(new Partitioner.Hash(2), new Partitioner.Spread());

    assertThat(properties.values()).containsExactly(new Partitioner.Spread());
    assertThat(properties.get(Partitioner.class)).contains(new Partitioner.Spread());
  }

  @Test
  void iteratesInTheSameOrderHoweverItWasMade() {
    assertThat(
            ExecutionProperties.<EdgeProperty>of(Order.NONE, DataStore.MEMORY, DataFlow.PULL)
                .values())
        .containsExactly(DataFlow.PULL, DataStore.MEMORY, Order.NONE);
    assertThat(ExecutionProperties.copyOf(List.of(Order.NONE, DataFlow.PULL)).toString())
        .isEqualTo("[PULL, NONE]");
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new Parallelism(0)).hasMessageContaining("at least 1, was 0");
    assertThatThrownBy(() -> new ScheduleGroup(-1)).hasMessageContaining("negative, was -1");
    assertThatThrownBy(() -> new HashRange(2, 2)).hasMessageContaining("[2, 2)");
    assertThatThrownBy(() -> new HashRange(-1, 2)).hasMessageContaining("[-1, 2)");
    assertThatThrownBy(() -> new Partitioner.Hash(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new ResourceSlot(-1, 0, 0)).hasMessageContaining("-1 MB");
    assertThatThrownBy(() -> new ClonedScheduling(Double.NaN, 0.5)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new ClonedScheduling(1, 0)).hasMessageContaining("(0, 1]");
  }

  @Test
  void evenPartitionsCoverAll() {
    assertThat(PartitionSet.even(2, 3))
        .isEqualTo(
            new PartitionSet(List.of(List.of(new HashRange(0, 3)), List.of(new HashRange(3, 6)))));
    assertThat(PartitionSet.even(2, 3).partitions()).isEqualTo(6);
    assertThat(new AntiAffinity(Set.of(3, 1, 2)).tasks()).containsExactly(1, 2, 3);
  }

  @Test
  void nativeMemoryIsSome() {
    assertThatThrownBy(() -> new NativeMemory(0)).hasMessageContaining("was 0");
  }

  @Test
  void aResourceSiteHasHostsWithTasks() {
    assertThatThrownBy(() -> new ResourceSite(Map.of())).hasMessageContaining("one host");
    assertThatThrownBy(() -> new ResourceSite(Map.of("a", 0)))
        .hasMessageContaining("has 0 for 'a'");
    assertThatThrownBy(() -> new ResourceSite(Map.of(" ", 1))).hasMessageContaining("for ' '");
  }
}
