// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.harness.InMemoryTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that holds for side inputs in the heap, and more, where there is no heap for them. */
class SideInputsOnDiskTest extends SideInputsTest {

  private static final int WINDOWS = 20;
  private static final int KEYS = 300;

  @TempDir private Path directory;
  private final List<InMemoryTask> tasks = new ArrayList<>();

  @Override
  InMemoryTask prepared(InMemoryTask task) {
    tasks.add(task);
    return task.withMemoryBudget(0).withTables(directory.resolve("task" + tasks.size()));
  }

  @AfterEach
  void nothingIsLeftWhenTheJobEnds() throws Exception {
    for (InMemoryTask task : tasks) {
      task.close();
    }
    assertThat(files()).isEmpty();
  }

  private List<Path> files() throws IOException {
    try (var walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).toList();
    }
  }

  private static IntervalWindow window(int i) {
    return new IntervalWindow(Instant.ofEpochMilli(i * MINUTE.getMillis()), MINUTE);
  }

  /** In each window, key k has k % 4 + 1 values. */
  private static List<WindowedValue<KV<String, Integer>>> pairs() {
    List<WindowedValue<KV<String, Integer>>> pairs = new ArrayList<>();
    for (int value = 0; value < 4; value++) {
      for (int key = KEYS - 1; key >= 0; key--) {
        for (int window = 0; window < WINDOWS && value <= key % 4; window++) {
          pairs.add(in(window(window), KV.of("key" + key, 1_000 * window + value)));
        }
      }
    }
    return pairs;
  }

  @Test
  void theMultimapOfAWindowHasItsKeysAndTheirValues() throws Exception {
    PCollectionView<Map<String, Iterable<Integer>>> view = view(PAIRS, fixed(), View.asMultimap());
    InMemoryTask task = task(new DescribeMultimap(view), view).withSideInput(name(view), pairs());

    List<WindowedValue<Object>> described =
        task.run(List.of(in(window(3), "x"), in(window(WINDOWS), "y"), in(window(19), "z")));

    assertThat(described)
        .extracting(WindowedValue::getValue)
        .containsExactly(expected(3), "0 keys, {}, no key, null, false", expected(19));
    assertThat(task.tablesBegun()).isEqualTo(1);
  }

  private static String expected(int window) {
    Map<String, Integer> sums = new TreeMap<>();
    for (int key = 0; key < KEYS; key++) {
      int values = key % 4 + 1;
      sums.put("key" + key, values * 1_000 * window + values * (values - 1) / 2);
    }
    return KEYS + " keys, " + sums + ", no key, " + sums.get("key7") + ", true";
  }

  private static class DescribeMultimap extends DoFn<String, String> {
    private final PCollectionView<Map<String, Iterable<Integer>>> view;

    DescribeMultimap(PCollectionView<Map<String, Iterable<Integer>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      Map<String, Iterable<Integer>> multimap = context.sideInput(view);
      Map<String, Integer> sums = new TreeMap<>();
      for (String key : multimap.keySet()) {
        sums.put(key, sum(multimap.get(key)));
      }
      context.output(
          multimap.size()
              + " keys, "
              + sums
              + (multimap.get("nobody") == null && multimap.get(null) == null ? ", no key, " : "")
              + (multimap.containsKey("key7") ? sum(multimap.get("key7")) : null)
              + ", "
              + multimap.containsKey("key299"));
    }

    private static Integer sum(Iterable<Integer> values) {
      int sum = 0;
      for (int value : values) {
        sum += value;
      }
      return sum;
    }
  }

  @Test
  void aWindowIsIteratedSeveralTimesAtOnce() throws Exception {
    PCollectionView<Iterable<Integer>> view =
        view(VarIntCoder.of(), new GlobalWindows(), View.asIterable());
    InMemoryTask task = task(new Pairwise(view), view).withSideInput(name(view), numbers(2_000));

    assertThat(task.run(List.of(WindowedValues.valueInGlobalWindow("x"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("2000 and 10000");
  }

  private static List<WindowedValue<Integer>> numbers(int count) {
    List<WindowedValue<Integer>> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(WindowedValues.valueInGlobalWindow(i));
    }
    return numbers;
  }

  private static class Pairwise extends DoFn<String, String> {
    private final PCollectionView<Iterable<Integer>> view;

    Pairwise(PCollectionView<Iterable<Integer>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      Set<Integer> outer = new HashSet<>();
      int inner = 0;
      for (Integer number : context.sideInput(view)) {
        outer.add(number);
        if (number < 5) {
          Iterator<Integer> all = context.sideInput(view).iterator();
          while (all.hasNext()) {
            all.next();
            inner++;
          }
        }
      }
      context.output(outer.size() + " and " + inner);
    }
  }

  @Test
  void aListIsReadByNumberInTheOrderInWhichItIsIterated() throws Exception {
    PCollectionView<List<Integer>> view =
        view(VarIntCoder.of(), new GlobalWindows(), View.asList());
    InMemoryTask task = task(new ByNumber(view), view).withSideInput(name(view), numbers(50_000));

    assertThat(task.run(List.of(WindowedValues.valueInGlobalWindow("x"))))
        .extracting(WindowedValue::getValue)
        .containsExactly("50000 elements, 50000 different, 0 misplaced");
  }

  private static class ByNumber extends DoFn<String, String> {
    private final PCollectionView<List<Integer>> view;

    ByNumber(PCollectionView<List<Integer>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      List<Integer> list = context.sideInput(view);
      int misplaced = 0;
      int index = 0;
      for (Integer element : list) {
        misplaced += list.get(index).equals(element) ? 0 : 1;
        index++;
      }
      context.output(
          list.size()
              + " elements, "
              + new HashSet<>(list).size()
              + " different, "
              + misplaced
              + " misplaced");
    }
  }

  @Test
  void whatWasInTheHeapGoesToTheTableWhenMemoryEnds() throws Exception {
    PCollectionView<Map<String, Integer>> view = view(PAIRS, new GlobalWindows(), View.asMap());
    List<WindowedValue<KV<String, Integer>>> pairs = new ArrayList<>();
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      pairs.add(WindowedValues.valueInGlobalWindow(KV.of("key" + i, i)));
      expected.put("key" + i, i);
    }
    // An element counts 100 bytes and 32 for the object, and a quarter of the budget may be used.
    InMemoryTask heap = task(new CopyMap(view), view).withMemoryBudget(4 * 132 * 1_000);
    InMemoryTask table = task(new CopyMap(view), view).withMemoryBudget(4 * 132 * 1_000 - 4);
    for (InMemoryTask task : List.of(heap, table)) {
      task.withSideInput(name(view), pairs).withSideInputElements(100);
      assertThat(task.run(List.of(WindowedValues.valueInGlobalWindow("x"))))
          .extracting(WindowedValue::getValue)
          .containsExactly(new TreeMap<>(expected).toString());
    }
    assertThat(heap.tablesBegun()).isZero();
    assertThat(table.tablesBegun()).isEqualTo(1);
  }

  private static class CopyMap extends DoFn<String, String> {
    private final PCollectionView<Map<String, Integer>> view;

    CopyMap(PCollectionView<Map<String, Integer>> view) {
      this.view = view;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      context.output(new TreeMap<>(context.sideInput(view)).toString());
    }
  }
}
