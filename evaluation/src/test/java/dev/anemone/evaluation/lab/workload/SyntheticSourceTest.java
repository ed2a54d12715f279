// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.workload.SyntheticRecords.SyntheticSource;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.io.BoundedSource.BoundedReader;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.KV;

class SyntheticSourceTest {

  @Property(tries = 50)
  void thePartsAreAsManyAsToldAndHaveEveryRecordOnce(
      @ForAll @IntRange(min = 1, max = 300) int count,
      @ForAll @IntRange(min = 1, max = 40) int parts)
      throws IOException {
    SyntheticRecords records = new SyntheticRecords(count, 1);
    var options = PipelineOptionsFactory.create();

    List<SyntheticSource> split = SyntheticSource.of(records, parts).split(1, options);

    assertThat(split).hasSize(parts);
    CRC32C crc = new CRC32C();
    long read = 0;
    long checksum = 0;
    long bytes = 0;
    for (SyntheticSource part : split) {
      assertThat(part.split(1, options)).hasSize(1);
      bytes += part.getEstimatedSizeBytes(options);
      try (BoundedReader<KV<byte[], byte[]>> reader = part.createReader(options)) {
        for (boolean more = reader.start(); more; more = reader.advance()) {
          read++;
          KV<byte[], byte[]> record = reader.getCurrent();
          checksum += SyntheticRecords.checksum(crc, record.getKey(), record.getValue());
        }
      }
    }
    assertThat(read).isEqualTo(count);
    assertThat(checksum).isEqualTo(records.totals().checksum());
    assertThat(bytes).isEqualTo((long) count * SyntheticRecords.RECORD_BYTES);
  }
}
