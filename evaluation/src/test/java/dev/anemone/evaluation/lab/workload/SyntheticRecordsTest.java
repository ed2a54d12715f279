// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SyntheticRecordsTest {
  private static final int RECORDS = 5_001;

  private final SyntheticRecords records = new SyntheticRecords(RECORDS, 7);

  @Test
  void everyRecordHasAHundredBytesAndEveryKeyAtMostTwoRecords() {
    Set<ByteBuffer> keys = new HashSet<>();
    Set<ByteBuffer> values = new HashSet<>();
    Set<Integer> keyLengths = new HashSet<>();
    for (long record = 0; record < RECORDS; record++) {
      byte[] key = records.key(record);
      byte[] value = records.value(record);
      assertThat(key.length + value.length).isEqualTo(SyntheticRecords.RECORD_BYTES);
      keys.add(ByteBuffer.wrap(key));
      values.add(ByteBuffer.wrap(value));
      keyLengths.add(key.length);
    }
    assertThat(keyLengths).containsExactlyInAnyOrder(8, 9, 10);
    assertThat(keys).hasSize(2_501).hasSize((int) records.totals().groups());
    assertThat(values).as("no record is like another").hasSize(RECORDS);
  }

  @Test
  void theSameSeedGivesTheSameRecords() {
    SyntheticRecords same = new SyntheticRecords(RECORDS, 7);
    SyntheticRecords other = new SyntheticRecords(RECORDS, 8);

    assertThat(same.key(42)).isEqualTo(records.key(42));
    assertThat(same.value(42)).isEqualTo(records.value(42));
    assertThat(same.totals()).isEqualTo(records.totals());
    assertThat(other.totals().checksum()).isNotEqualTo(records.totals().checksum());
  }

  @Test
  void theChecksumTellsSwappedValuesFromRightOnes() {
    CRC32C crc = new CRC32C();
    // Lengths of keys go round in threes, so these two records are of one form.
    byte[] a = records.value(0);
    byte[] b = records.value(3);

    assertThat(
            SyntheticRecords.checksum(crc, records.key(0), b)
                + SyntheticRecords.checksum(crc, records.key(3), a))
        .isNotEqualTo(
            SyntheticRecords.checksum(crc, records.key(0), a)
                + SyntheticRecords.checksum(crc, records.key(3), b));
  }
}
