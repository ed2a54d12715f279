// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GroupMergerTest {

  private static final Comparator<String> BY_PARTITION_AND_KEY =
      Comparator.comparingInt(GroupMergerTest::partition).thenComparing(Comparator.naturalOrder());

  /** A partition for a key, against the order of the keys. */
  private static int partition(String key) {
    return key.startsWith("a") ? 7 : key.length() % 2;
  }

  @Provide
  Arbitrary<List<SortedMap<String, List<String>>>> inputs() {
    Arbitrary<String> keys = Arbitraries.strings().withChars('a', 'b', '\u00e9').ofMaxLength(3);
    Arbitrary<List<String>> values =
        Arbitraries.strings().alpha().ofMaxLength(3).list().ofMinSize(1).ofMaxSize(4);
    return Arbitraries.maps(keys, values)
        .ofMaxSize(6)
        .<SortedMap<String, List<String>>>map(
            map -> {
              SortedMap<String, List<String>> sorted = new TreeMap<>(BY_PARTITION_AND_KEY);
              sorted.putAll(map);
              return sorted;
            })
        .list()
        .ofMinSize(1)
        .ofMaxSize(5);
  }

  @Property(tries = 300)
  void givesEveryKeyOnceByPartitionAndKeyWithTheValuesOfAllReaders(
      @ForAll("inputs") List<SortedMap<String, List<String>>> inputs) throws IOException {
    SortedMap<String, List<String>> expected = new TreeMap<>(BY_PARTITION_AND_KEY);
    List<GroupReader> readers = new ArrayList<>();
    for (SortedMap<String, List<String>> input : inputs) {
      input.forEach(
          (key, values) -> expected.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
      readers.add(new MapReader(input));
    }
    List<String> keys = new ArrayList<>();
    GroupReader merged = GroupMerger.merge(readers);
    while (merged.nextKey()) {
      String key = string(merged.key());
      keys.add(key);
      assertThat(merged.partition()).isEqualTo(partition(key));
      List<String> values = new ArrayList<>();
      while (merged.nextValue()) {
        values.add(string(merged.value()));
      }
      assertThat(values).containsExactlyInAnyOrderElementsOf(expected.get(key));
      assertThat(merged.partition()).isEqualTo(partition(key));
    }
    assertThat(keys).containsExactlyElementsOf(expected.keySet());
  }

  @Property(tries = 300)
  void skipsValuesThatWereNotRead(@ForAll("inputs") List<SortedMap<String, List<String>>> inputs)
      throws IOException {
    TreeMap<String, Boolean> expected = new TreeMap<>(BY_PARTITION_AND_KEY);
    List<GroupReader> readers = new ArrayList<>();
    for (SortedMap<String, List<String>> input : inputs) {
      input.keySet().forEach(key -> expected.put(key, true));
      readers.add(new MapReader(input));
    }
    List<String> keys = new ArrayList<>();
    GroupReader merged = GroupMerger.merge(readers);
    while (merged.nextKey()) {
      keys.add(string(merged.key()));
      if (keys.size() % 2 == 0) {
        merged.nextValue();
      }
    }
    assertThat(keys).containsExactlyElementsOf(expected.keySet());
  }

  private static String string(ByteSlice slice) {
    return new String(slice.array(), slice.start(), slice.length(), StandardCharsets.UTF_8);
  }

  private static final class MapReader implements GroupReader {

    private final Iterator<Map.Entry<String, List<String>>> entries;
    private Map.Entry<String, List<String>> entry;
    private Iterator<String> values;
    private String value;

    MapReader(SortedMap<String, List<String>> map) {
      this.entries = map.entrySet().iterator();
    }

    @Override
    public boolean nextKey() {
      if (!entries.hasNext()) {
        return false;
      }
      entry = entries.next();
      values = entry.getValue().iterator();
      return true;
    }

    @Override
    public int partition() {
      return GroupMergerTest.partition(entry.getKey());
    }

    @Override
    public ByteSlice key() {
      return slice(entry.getKey());
    }

    @Override
    public boolean nextValue() {
      if (!values.hasNext()) {
        return false;
      }
      value = values.next();
      return true;
    }

    @Override
    public ByteSlice value() {
      return slice(value);
    }

    private static ByteSlice slice(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new ByteSlice().set(bytes, 0, bytes.length);
    }
  }
}
