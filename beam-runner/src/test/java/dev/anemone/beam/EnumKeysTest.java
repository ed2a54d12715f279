// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.DayOfWeek;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;

/**
 * Enum keys, whose hash codes differ from JVM to JVM: they are partitioned and grouped by the bytes
 * of their coder.
 */
class EnumKeysTest {

  private final Pipeline pipeline =
      Pipeline.create(
          PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--parallelism=3").create());

  private static final List<KV<DayOfWeek, Integer>> DAYS =
      List.of(
          KV.of(DayOfWeek.MONDAY, 1),
          KV.of(DayOfWeek.SUNDAY, 2),
          KV.of(DayOfWeek.MONDAY, 3),
          KV.of(DayOfWeek.SUNDAY, 4),
          KV.of(DayOfWeek.FRIDAY, 5));

  @Test
  void valuesOfAnEnumKeyMeetInOneGroup() {
    PAssert.that(
            pipeline
                .apply(Create.of(DAYS).withCoder(KvCoder.of(new DayCoder(), VarIntCoder.of())))
                .apply(Sum.integersPerKey()))
        .containsInAnyOrder(
            List.of(
                KV.of(DayOfWeek.MONDAY, 4),
                KV.of(DayOfWeek.SUNDAY, 6),
                KV.of(DayOfWeek.FRIDAY, 5)));
    pipeline.run().waitUntilFinish();
  }

  @Test
  void enumsAreCountedAsElements() {
    PAssert.that(
            pipeline
                .apply(Create.of(DAYS.stream().map(KV::getKey).toList()).withCoder(new DayCoder()))
                .apply(Count.perElement()))
        .containsInAnyOrder(
            List.of(
                KV.of(DayOfWeek.MONDAY, 2L),
                KV.of(DayOfWeek.SUNDAY, 2L),
                KV.of(DayOfWeek.FRIDAY, 1L)));
    pipeline.run().waitUntilFinish();
  }

  /** Codes a day by its name, which is what an enum is the same by in every JVM. */
  private static final class DayCoder extends AtomicCoder<DayOfWeek> {

    private static final long serialVersionUID = 1L;

    @Override
    public void encode(DayOfWeek day, OutputStream out) throws IOException {
      StringUtf8Coder.of().encode(day.name(), out);
    }

    @Override
    public DayOfWeek decode(InputStream in) throws IOException {
      return DayOfWeek.valueOf(StringUtf8Coder.of().decode(in));
    }

    @Override
    public void verifyDeterministic() {
      // A name has one encoding.
    }
  }
}
