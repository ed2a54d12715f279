// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import static dev.anemone.ir.testing.SampleDags.spec;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.message.TaskTimes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.ir.property.SpillStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanSerializerTest {

  /** What another module may make of this module's values. */
  record StagePlan(
      String id,
      int tasks,
      long bytes,
      double weight,
      boolean last,
      Optional<FunctionSpec> function,
      List<PartitionSet> partitions,
      Map<String, Set<Integer>> routes) {}

  private static final PlanSerializer SERIALIZER =
      new PlanSerializer(kryo -> kryo.register(StagePlan.class, PlanSerializer.FIRST_FREE_ID));

  static List<Object> values() {
    return List.of(
        spec("function"),
        FunctionSpec.of("no payload"),
        SizeHistogram.of("m", new long[] {0, 1, 300, Long.MAX_VALUE}),
        new TaskTimes("m", "v", List.of(0L, 12_345L)),
        new AntiAffinity(Set.of(3, 1, 2)),
        new ResourceSite(Map.of("host", 3)),
        new NativeMemory(64L << 20),
        new Parallelism.Coalescing("sizes"),
        new Divisibility.Measured("sizes"),
        new PushdownCosts(
            new PushdownCosts.Splits(8, 1e6, 0.5),
            List.of(new PushdownCosts.Operator("Filter", 0.25, 1e-8, 2e-8)),
            new PushdownCosts.Storage(2, 4, 8, 0.02),
            new PushdownCosts.Compute(16, 32, 0.01),
            125e6),
        PartitionSet.even(3, 2),
        new PartitionSet(
            List.of(List.of(new HashRange(0, 1)), List.of(new HashRange(0, 1))),
            List.of(new PartitionDivision(0, List.of(1, 0), true))),
        Divisibility.DIVISIBLE,
        new SharedOutput("e1"),
        new SpillStore(DataStore.REMOTE_MEMORY),
        new ShuffleSizes(
            "m",
            List.of(
                new ShuffleSizes.Shuffle(
                    List.of("e1", "e2"), SizeHistogram.of("m", new long[] {0, 7}), 2, 40))),
        wordCount(),
        "text",
        List.of(),
        List.of(1, 2),
        List.of(1, 2, 3),
        new ArrayList<>(List.of("a")),
        List.of(1, 2, 3).stream().toList(),
        List.of(1, 2, 3, 4).subList(1, 3),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Arrays.asList(1, 2),
        Collections.singletonList(7),
        Set.of(),
        Set.of("b", "a"),
        new HashSet<>(List.of(5, 4)),
        new TreeSet<>(List.of(5, 4)),
        Map.of(),
        Map.of("k", 1L),
        Map.of("k", 1L, "j", 2L),
        new HashMap<>(Map.of(1, List.of("x"))),
        Optional.of(List.of(1)),
        Optional.empty());
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsReadAsItWasWritten(Object value) {
    assertThat(SERIALIZER.read(SERIALIZER.write(value), Object.class)).isEqualTo(value);
  }

  @Test
  void aRecordOfAnotherModuleIsReadAsItWasWritten() {
    StagePlan plan =
        new StagePlan(
            "s",
            3,
            1L << 40,
            0.5,
            true,
            Optional.of(spec("f")),
            List.of(PartitionSet.even(2, 2)),
            Map.of("a", Set.of(1, 2), "b", Set.of()));

    assertThat(SERIALIZER.read(SERIALIZER.write(plan), StagePlan.class))
        .usingRecursiveComparison()
        .ignoringCollectionOrder()
        .isEqualTo(plan);
  }

  @Test
  void collectionsAreImmutableWhenRead() {
    List<?> list = SERIALIZER.read(SERIALIZER.write(new ArrayList<>(List.of(1))), List.class);
    Set<?> set = SERIALIZER.read(SERIALIZER.write(new HashSet<>(List.of(1))), Set.class);
    Map<?, ?> map = SERIALIZER.read(SERIALIZER.write(new HashMap<>(Map.of(1, 2))), Map.class);

    assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(set::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theOrderOfAnUnorderedSetDoesNotMatter() {
    Set<Integer> rising = new HashSet<>(2);
    Set<Integer> falling = new HashSet<>(10_000);
    for (int i = 0; i < 500; i++) {
      rising.add(i * 7919);
      falling.add((499 - i) * 7919);
    }

    assertThat(new ArrayList<>(rising)).isNotEqualTo(new ArrayList<>(falling));
    assertThat(SERIALIZER.write(rising)).isEqualTo(SERIALIZER.write(falling));
    assertThat(SERIALIZER.write(Set.of("a", "b", "c")))
        .isEqualTo(SERIALIZER.write(new TreeSet<>(Set.of("a", "b", "c"))));
    Map<String, Integer> sorted = new LinkedHashMap<>();
    sorted.put("a", 1);
    sorted.put("b", 2);
    sorted.put("c", 3);
    assertThat(SERIALIZER.write(Map.of("a", 1, "b", 2, "c", 3)))
        .isEqualTo(SERIALIZER.write(sorted));
  }

  @Test
  void theOrderOfALinkedMapIsKept() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", 2);

    Map<?, ?> read = SERIALIZER.read(SERIALIZER.write(map), Map.class);

    assertThat(read.keySet().toArray()).containsExactly("z", "a");
  }

  @Test
  void refusesAnUnorderedSetThatCannotBeSorted() {
    assertThatThrownBy(() -> SERIALIZER.write(Set.of(spec("f"), spec("g"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use a LinkedHashSet");
  }

  @Test
  void refusesAClassThatIsNotRegistered() {
    StringBuilder foreign = new StringBuilder();

    assertThatThrownBy(() -> SERIALIZER.write(List.of(foreign)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.StringBuilder")
        .hasMessageContaining("must be registered with the PlanSerializer");
    assertThat(SERIALIZER.read(SERIALIZER.write("still works"), String.class))
        .isEqualTo("still works");
  }

  @Test
  void refusesToReadAnotherTypeOrAnUnknownClass() {
    byte[] text = SERIALIZER.write("text");
    byte[] plan =
        SERIALIZER.write(new StagePlan("s", 1, 1, 1, true, Optional.empty(), List.of(), Map.of()));

    assertThatThrownBy(() -> SERIALIZER.read(text, IRDag.class))
        .isInstanceOf(PlanFormatException.class)
        .hasMessageContaining(
            "expected a dev.anemone.ir.IRDag, but the bytes hold a java.lang.String");
    assertThatThrownBy(() -> new PlanSerializer().read(plan, StagePlan.class))
        .isInstanceOf(PlanFormatException.class)
        .hasMessageContaining("the same registered classes");
  }

  @Test
  void refusesAnIdThatIsTaken() {
    assertThatThrownBy(() -> new PlanSerializer(kryo -> kryo.register(StagePlan.class, 100)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("class id 100 was registered for")
        .hasMessageContaining("from 1000 on");
  }
}
