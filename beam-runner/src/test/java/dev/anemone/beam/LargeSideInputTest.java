// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.junit.jupiter.api.Test;

/**
 * A side input of 200 MB, three times as large as the heap. Runs in a JVM of its own, with a heap
 * of 64 MB, see the {@code large-side-input} execution in the pom.
 */
class LargeSideInputTest {

  private static final int VALUE_BYTES = 1_000;
  private static final long VALUES = 200_000;
  private static final long KEYS = VALUES / 2;
  private static final long LOOKUPS = 3_000;

  @Test
  void aMultimapOf200MbIsLookedUpInAHeapOf64Mb() {
    assertThat(Runtime.getRuntime().maxMemory())
        .as("the point of this test is the small heap")
        .isLessThanOrEqualTo(64L << 20);
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    PCollectionView<Map<Long, Iterable<byte[]>>> view =
        pipeline
            .apply("Side", GenerateSequence.from(0).to(VALUES))
            .apply(ParDo.of(new ValueFn()))
            .apply(View.asMultimap());
    PAssert.thatSingleton(
            pipeline
                .apply("Main", GenerateSequence.from(0).to(LOOKUPS))
                .apply(ParDo.of(new LookUpFn(view)).withSideInputs(view))
                .apply(Count.globally()))
        .isEqualTo(2 * LOOKUPS);
    pipeline.run().waitUntilFinish();
  }

  /** Bytes that do not compress, the same for the same number. */
  private static byte[] value(long number) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(number).nextBytes(value);
    return value;
  }

  private static final class ValueFn extends DoFn<Long, KV<Long, byte[]>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void make(@Element Long number, OutputReceiver<KV<Long, byte[]>> out) {
      out.output(KV.of(number % KEYS, value(number)));
    }
  }

  /** Outputs each value that is found and is the right one. */
  private static final class LookUpFn extends DoFn<Long, Long> {

    private static final long serialVersionUID = 1L;

    private final PCollectionView<Map<Long, Iterable<byte[]>>> view;

    LookUpFn(PCollectionView<Map<Long, Iterable<byte[]>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void lookUp(ProcessContext context) {
      long key = context.element() * 7_919 % KEYS;
      Iterator<byte[]> values = context.sideInput(view).get(key).iterator();
      byte[] first = value(key);
      byte[] second = value(key + KEYS);
      while (values.hasNext()) {
        byte[] found = values.next();
        if (Arrays.equals(found, first) || Arrays.equals(found, second)) {
          context.output(key);
        }
      }
    }
  }
}
