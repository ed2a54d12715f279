// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Splittable functions in harnesses. */
@Tag("slow")
class RestrictionsTest {

  private static final int RESTRICTIONS = 4;
  private static final int AT_ONCE = 2;
  private static final long PATIENCE_SECONDS = 60;

  /** Goes on with a restriction when another one is worked on, too. */
  static final class Together extends DoFn<String, Long> {
    private static final CyclicBarrier BARRIER = new CyclicBarrier(AT_ONCE);

    @GetInitialRestriction
    public OffsetRange initial() {
      return new OffsetRange(0, RESTRICTIONS);
    }

    @SplitRestriction
    public void split(@Restriction OffsetRange all, OutputReceiver<OffsetRange> parts) {
      for (long from = all.getFrom(); from < all.getTo(); from++) {
        parts.output(new OffsetRange(from, from + 1));
      }
    }

    @ProcessElement
    public void process(RestrictionTracker<OffsetRange, Long> tracker, OutputReceiver<Long> output)
        throws Exception {
      long position = tracker.currentRestriction().getFrom();
      if (tracker.tryClaim(position)) {
        BARRIER.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        output.output(position);
      }
    }
  }

  @Test
  void allSlotsHaveTheSameNumberOfThem() {
    Pipeline pipeline =
        HarnessPipelines.create(
            "--experiments=beam_fn_api", "--slots=" + AT_ONCE, "--maxTaskAttempts=1");
    PAssert.that(pipeline.apply(Create.of("element")).apply(ParDo.of(new Together())))
        .containsInAnyOrder(0L, 1L, 2L, 3L);

    assertThat(pipeline.run().getState()).isEqualTo(PipelineResult.State.DONE);
  }
}
