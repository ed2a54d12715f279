// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZipfRecordsTest {
  private static final int RECORDS = 20_000;

  @Test
  void keysAreAsFrequentAsTheLawHasIt() {
    ZipfRecords records = new ZipfRecords(RECORDS, 100, 1, 7);
    double harmonic = 0;
    for (int rank = 1; rank <= 100; rank++) {
      harmonic += 1.0 / rank;
    }
    Map<Long, Integer> counts = new HashMap<>();
    for (long record = 0; record < RECORDS; record++) {
      byte[] key = records.key(record);
      assertThat(key.length + records.value(record).length)
          .isEqualTo(SyntheticRecords.RECORD_BYTES);
      counts.merge(ByteBuffer.wrap(key).getLong(), 1, Integer::sum);
    }
    assertThat(records.largestShare()).isCloseTo(1 / harmonic, within(1e-12));
    // Five standard deviations.
    assertThat((double) counts.get(0L) / RECORDS).isCloseTo(1 / harmonic, within(0.015));
    assertThat((double) counts.get(1L) / RECORDS).isCloseTo(0.5 / harmonic, within(0.011));
    assertThat(records.totals().groups()).isEqualTo(counts.size());
  }

  @Test
  void withoutSkewKeysAreAlike() {
    ZipfRecords records = new ZipfRecords(RECORDS, 4, 0, 7);
    assertThat(records.largestShare()).isEqualTo(0.25);
    int first = 0;
    for (long record = 0; record < RECORDS; record++) {
      first += ByteBuffer.wrap(records.key(record)).getLong() == 0 ? 1 : 0;
    }
    assertThat((double) first / RECORDS).isCloseTo(0.25, within(0.016));
  }

  /** They are part of every part of a source, of which a job may have thousands. */
  @Test
  void areSmallWhereTheyTravelAndTheSameThere() throws Exception {
    ZipfRecords records = new ZipfRecords(RECORDS, 100_000, 1, 7);
    byte[] key = records.key(42);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(records);
    }
    assertThat(bytes.size()).isLessThan(1_000);
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((ZipfRecords) in.readObject()).key(42)).isEqualTo(key);
    }
  }

  @Test
  void refusesWhatIsNoLaw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ZipfRecords(1, 1, -1, 7))
        .withMessageContaining("an exponent of 0 or more");
  }
}
