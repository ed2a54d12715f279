// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BlockTableTest {

  @Property(tries = 200)
  void saysWhatItWasMadeOf(
      @ForAll @Size(min = 1, max = 20) @LongRange(min = 0, max = 1L << 40) long[] stored,
      @ForAll boolean small,
      @ForAll boolean packed) {
    long[] lengths =
        Arrays.stream(stored).map(length -> small ? length % 10_000 : length).toArray();
    long[] raw = Arrays.stream(lengths).map(length -> 3 * length).toArray();
    long[] offsets = new long[lengths.length];
    long end = 0;
    for (int p = 0; p < offsets.length; p++) {
      offsets[p] = end;
      end += lengths[p] + (packed ? 0 : 7);
    }
    BlockTable table =
        packed
            ? BlockTable.packed(raw.clone(), lengths.clone())
            : new BlockTable(offsets.clone(), raw.clone(), lengths.clone());
    assertThat(table.partitions()).isEqualTo(lengths.length);
    assertThat(table.storedBytes()).isEqualTo(Arrays.stream(lengths).sum());
    for (int p = 0; p < lengths.length; p++) {
      assertThat(table.offset(p)).isEqualTo(offsets[p]);
      assertThat(table.rawLength(p)).isEqualTo(raw[p]);
      assertThat(table.storedLength(p)).isEqualTo(lengths[p]);
    }
  }

  @Test
  void eightBytesAreEnoughForAPartitionOfAFileOfLessThanTwoGigabytes() {
    long[] lengths = new long[1000];
    Arrays.fill(lengths, 1_000_000);
    assertThat(BlockTable.packed(lengths.clone(), lengths.clone()).heapBytes()).isEqualTo(8_000);
  }
}
