// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Reads groups back as records. */
public final class TestGroups {

  private TestGroups() {}

  /** All records of all groups; checks that these come by partition and key, and none twice. */
  public static List<TestRecord> read(GroupReader groups) throws IOException {
    List<TestRecord> records = new ArrayList<>();
    TestRecord last = null;
    while (groups.nextKey()) {
      int partition = groups.partition();
      byte[] key = bytes(groups.key());
      TestRecord group = TestRecord.of(partition, key, new byte[0]);
      if (last != null) {
        assertThat(TestRecord.BY_PARTITION_AND_KEY.compare(last, group)).isNegative();
      }
      last = group;
      boolean any = false;
      while (groups.nextValue()) {
        records.add(TestRecord.of(partition, key, bytes(groups.value())));
        any = true;
      }
      assertThat(groups.partition()).isEqualTo(partition);
      assertThat(any).isTrue();
    }
    assertThat(groups.nextKey()).isFalse();
    return records;
  }

  /** Checks that records are the same as many times, in whatever order. */
  public static void assertSame(Collection<TestRecord> actual, Collection<TestRecord> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    assertThat(actual.stream().sorted(TestRecord.BY_ALL).toList())
        .isEqualTo(expected.stream().sorted(TestRecord.BY_ALL).toList());
  }

  public static byte[] bytes(ByteSlice slice) {
    return Arrays.copyOfRange(slice.array(), slice.start(), slice.start() + slice.length());
  }
}
