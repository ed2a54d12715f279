// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.beam.sdk.io.BoundedReadFromUnboundedSource;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.runners.PTransformOverrideFactory;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.util.construction.ReplacementOutputs;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;

/**
 * Lets reads with {@code withMaxReadTime} end. Beam's own looks at the clock only when its source
 * has nothing, and so reads a busy source, such as a topic that is written to, for ever (<a
 * href="https://github.com/apache/beam/issues/19346">issue 19346</a>).
 */
public final class TimeBoundReads {

  private TimeBoundReads() {}

  /** Gives each such read a source that ends with the time. Doing it again changes nothing. */
  public static PTransformOverride override() {
    return PTransformOverride.of(TimeBoundReads::matches, new Factory<>());
  }

  private static boolean matches(AppliedPTransform<?, ?, ?> applied) {
    return applied.getTransform() instanceof BoundedReadFromUnboundedSource<?> read
        && field(read, "maxReadTime") != null
        && !(field(read, "source") instanceof TimeBoundSource<?, ?>);
  }

  /** Beam's class has no methods that would tell. */
  private static Object field(BoundedReadFromUnboundedSource<?> read, String name) {
    try {
      Field field = BoundedReadFromUnboundedSource.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(read);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "This version of Beam has another BoundedReadFromUnboundedSource, without a field "
              + name
              + ".",
          e);
    }
  }

  private static final class Factory<T>
      implements PTransformOverrideFactory<
          PBegin, PCollection<T>, PTransform<PBegin, PCollection<T>>> {

    @Override
    public PTransformReplacement<PBegin, PCollection<T>> getReplacementTransform(
        AppliedPTransform<PBegin, PCollection<T>, PTransform<PBegin, PCollection<T>>> applied) {
      BoundedReadFromUnboundedSource<?> read =
          (BoundedReadFromUnboundedSource<?>) applied.getTransform();
      Duration time = (Duration) field(read, "maxReadTime");
      // It is a source of T, as the read yields a collection of T.
      @SuppressWarnings("unchecked")
      UnboundedSource<T, CheckpointMark> source =
          (UnboundedSource<T, CheckpointMark>) field(read, "source");
      return PTransformReplacement.of(
          applied.getPipeline().begin(),
          Read.from(new TimeBoundSource<>(source, time))
              .withMaxReadTime(time)
              .withMaxNumRecords((long) field(read, "maxNumRecords")));
    }

    @Override
    public Map<PCollection<?>, ReplacementOutput> mapOutputs(
        Map<TupleTag<?>, PCollection<?>> outputs, PCollection<T> newOutput) {
      return ReplacementOutputs.singleton(outputs, newOutput);
    }
  }
}
