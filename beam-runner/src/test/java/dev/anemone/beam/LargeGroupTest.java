// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;

/**
 * A group that is many times as large as the heap allows to be held. Runs in a JVM of its own, with
 * a heap of 512 MB, see the {@code large-group} execution in the pom.
 */
class LargeGroupTest {

  private static final long VALUES = 5_000_000;

  @Test
  void fiveMillionValuesOfOneKeyAreIteratedTwiceInAHeapOf512Mb() {
    assertThat(Runtime.getRuntime().maxMemory())
        .as("the point of this test is the small heap")
        .isLessThanOrEqualTo(512L << 20);
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    PAssert.thatSingleton(
            pipeline
                .apply(GenerateSequence.from(0).to(VALUES))
                .apply(WithKeys.of("the one key"))
                .apply(GroupByKey.create())
                .apply(ParDo.of(new IterateTwiceFn())))
        .isEqualTo(KV.of(VALUES, VALUES * (VALUES - 1) / 2));
    pipeline.run().waitUntilFinish();
  }

  /** Outputs the number of values, counted in one pass, and their sum, in another. */
  private static final class IterateTwiceFn
      extends DoFn<KV<String, Iterable<Long>>, KV<Long, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void iterate(
        @Element KV<String, Iterable<Long>> group, OutputReceiver<KV<Long, Long>> out) {
      long count = 0;
      for (Long ignored : group.getValue()) {
        count++;
      }
      long sum = 0;
      for (long value : group.getValue()) {
        sum += value;
      }
      out.output(KV.of(count, sum));
    }
  }
}
