// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupIntoBatches;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.PeriodicImpulse;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Values;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pipelines whose DoFns are more than plain functions, run to their end. */
class ParDoKindsTest {

  private static final Map<Integer, Set<String>> SEEN = new ConcurrentHashMap<>();
  private static final AtomicBoolean FAILED = new AtomicBoolean();
  private static final List<Integer> ACKNOWLEDGED = new CopyOnWriteArrayList<>();
  private static final Set<String> INSTANCES = ConcurrentHashMap.newKeySet();

  private final TestPipeline pipeline =
      TestPipeline.fromOptions(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create())
          .enableAbandonedNodeEnforcement(true);

  @BeforeEach
  void forget() {
    SEEN.clear();
    FAILED.set(false);
    ACKNOWLEDGED.clear();
    INSTANCES.clear();
  }

  @Test
  void stableInputIsTheSameForASecondAttempt() {
    List<Integer> numbers = IntStream.range(0, 20).boxed().toList();
    pipeline
        .apply(Create.of(numbers))
        .apply(ParDo.of(new AddRandom()))
        .apply(ParDo.of(new FailOnce()));

    pipeline.run();

    assertThat(FAILED).isTrue();
    assertThat(SEEN.keySet()).containsExactlyInAnyOrderElementsOf(numbers);
    assertThat(SEEN.values()).allSatisfy(seen -> assertThat(seen).hasSize(1));
  }

  static final class AddRandom extends DoFn<Integer, KV<Integer, String>> {
    @ProcessElement
    public void process(@Element Integer number, OutputReceiver<KV<Integer, String>> out) {
      out.output(KV.of(number, UUID.randomUUID().toString()));
    }
  }

  static final class FailOnce extends DoFn<KV<Integer, String>, Void> {
    private boolean sawAny;

    @RequiresStableInput
    @ProcessElement
    public void process(@Element KV<Integer, String> element) {
      sawAny = true;
      SEEN.computeIfAbsent(element.getKey(), key -> ConcurrentHashMap.newKeySet())
          .add(element.getValue());
    }

    @FinishBundle
    public void finish() {
      if (sawAny && FAILED.compareAndSet(false, true)) {
        throw new IllegalStateException("the first attempt fails");
      }
    }
  }

  @Test
  void bundlesAreFinalizedOnceByTheAttemptThatCommits() {
    pipeline
        .apply(Create.of(1, 2, 3))
        .apply(ParDo.of(new Acknowledge()))
        .apply(ParDo.of(new FailAtFirst()));

    pipeline.run();

    assertThat(FAILED).isTrue();
    assertThat(ACKNOWLEDGED).containsExactlyInAnyOrder(1, 2, 3);
  }

  static final class Acknowledge extends DoFn<Integer, Integer> {
    @ProcessElement
    public void process(
        @Element Integer number, BundleFinalizer finalizer, OutputReceiver<Integer> out) {
      finalizer.afterBundleCommit(
          Instant.now().plus(Duration.standardMinutes(1)), () -> ACKNOWLEDGED.add(number));
      finalizer.afterBundleCommit(
          Instant.now().plus(Duration.standardMinutes(1)),
          () -> {
            throw new IOException("the task has committed, so this changes nothing");
          });
      out.output(number);
    }
  }

  static final class FailAtFirst extends DoFn<Integer, Void> {
    private boolean sawAny;

    @ProcessElement
    public void process(@Element Integer number) {
      sawAny = true;
    }

    @FinishBundle
    public void finish() {
      if (sawAny && FAILED.compareAndSet(false, true)) {
        throw new IllegalStateException("the first attempt fails");
      }
    }
  }

  @Test
  void initialSplitsOfASplittableDoFnAreSpreadOverTasks() {
    PCollection<Long> numbers =
        pipeline.apply(Create.of(40)).apply(ParDo.of(new CountUp())).apply("Id", Values.create());

    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < 40; i++) {
      expected.add(i);
    }
    PAssert.that(numbers).containsInAnyOrder(expected);
    pipeline.run();
    assertThat(INSTANCES).hasSizeGreaterThan(1);
  }

  @Test
  void aLongRestrictionIsDividedWhileItIsProcessed() {
    TestPipeline dividing =
        TestPipeline.fromOptions(
                PipelineOptionsFactory.fromArgs(
                        "--runner=NemoRunner", "--slots=2", "--divideRestrictionsAfterMs=20")
                    .create())
            .enableAbandonedNodeEnforcement(true);
    PCollection<Long> numbers =
        dividing
            .apply(Create.of(400))
            .apply(ParDo.of(new CountUpSlowly()))
            .apply("Id", Values.create());

    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < 400; i++) {
      expected.add(i);
    }
    PAssert.that(numbers).containsInAnyOrder(expected);
    dividing.run();
    // One that began, and one for each slot that it was divided for.
    assertThat(INSTANCES).hasSizeGreaterThanOrEqualTo(3);
  }

  /** Takes a millisecond for each number, and does not say how its restriction is split. */
  static final class CountUpSlowly extends DoFn<Integer, KV<String, Long>> {
    @ProcessElement
    public void process(
        RestrictionTracker<OffsetRange, Long> tracker, OutputReceiver<KV<String, Long>> out) {
      INSTANCES.add(Integer.toString(System.identityHashCode(this)));
      for (long i = tracker.currentRestriction().getFrom(); tracker.tryClaim(i); i++) {
        long end = System.nanoTime() + 1_000_000;
        while (System.nanoTime() < end) {
          Thread.onSpinWait();
        }
        out.output(KV.of("", i));
      }
    }

    @GetInitialRestriction
    public OffsetRange range(@Element Integer count) {
      return new OffsetRange(0, count);
    }
  }

  @Test
  void aReshuffleSpreadsElementsThatAreEqual() {
    PCollection<Long> count =
        pipeline
            .apply(Create.of(Collections.nCopies(1_000, "go")))
            .apply(Reshuffle.viaRandomKey())
            .apply(ParDo.of(new NoteInstance()))
            .apply(Count.globally());

    PAssert.thatSingleton(count).isEqualTo(1_000L);
    pipeline.run();
    assertThat(INSTANCES).hasSizeGreaterThan(1);
  }

  static final class NoteInstance extends DoFn<String, String> {
    @ProcessElement
    public void process(@Element String element, OutputReceiver<String> out) {
      INSTANCES.add(Integer.toString(System.identityHashCode(this)));
      out.output(element);
    }
  }

  static final class CountUp extends DoFn<Integer, KV<String, Long>> {
    @ProcessElement
    public void process(
        RestrictionTracker<OffsetRange, Long> tracker, OutputReceiver<KV<String, Long>> out) {
      INSTANCES.add(Integer.toString(System.identityHashCode(this)));
      for (long i = tracker.currentRestriction().getFrom(); tracker.tryClaim(i); i++) {
        out.output(KV.of("", i));
      }
    }

    @GetInitialRestriction
    public OffsetRange range(@Element Integer count) {
      return new OffsetRange(0, count);
    }

    @SplitRestriction
    public void split(@Restriction OffsetRange range, OutputReceiver<OffsetRange> out) {
      range.split(1, 1).forEach(out::output);
    }
  }

  @Test
  void whatNeverEndsIsRefusedByName() {
    pipeline.apply("Tick", PeriodicImpulse.create().withInterval(Duration.standardHours(1)));

    assertThatThrownBy(pipeline::run)
        .hasStackTraceContaining("Step 'Tick/PeriodicSequence")
        .hasStackTraceContaining("would never end");
  }

  @Test
  void batchesHaveTheSizeThatWasAskedFor() {
    PCollection<Integer> sizes =
        pipeline
            .apply(Create.of(IntStream.range(0, 25).boxed().toList()))
            .apply(WithKeys.of("all"))
            .setCoder(KvCoder.of(StringUtf8Coder.of(), VarIntCoder.of()))
            .apply(GroupIntoBatches.ofSize(10))
            .apply(Values.create())
            .apply(ParDo.of(new SizeOf()));

    PAssert.that(sizes).containsInAnyOrder(10, 10, 5);
    pipeline.run();
  }

  static final class SizeOf extends DoFn<Iterable<Integer>, Integer> {
    @ProcessElement
    public void process(@Element Iterable<Integer> batch, OutputReceiver<Integer> out) {
      out.output(Iterables.size(batch));
    }
  }
}
