// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.coder.WindowedValueCodec;
import dev.anemone.beam.spec.DivideRestrictionsSpec;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.fn.splittabledofn.RestrictionTrackers.ClaimObserver;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker.HasProgress;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker.Progress;
import org.apache.beam.sdk.transforms.splittabledofn.SplitResult;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Processes pairs of an element and a restriction, each for some time; what is left of it then is
 * divided, and goes to an output of its own for tasks that process it side by side. What a DoFn
 * leaves that has asked for the finalization of a bundle goes there at once, since the task's
 * commit, for which it may wait, comes when nothing is left here.
 *
 * <p>When to divide is a matter of the clock, so another attempt of the task would divide
 * otherwise, and an element would come twice or never where some tasks have read what the first
 * attempt left. So the attempts agree on the splits through an {@link AgreedFile}: a later one
 * divides as the first one did that came to its end. Of two that run side by side the slower fails.
 */
public final class DivideRestrictionsOperator extends RestrictionsOperator {

  private final DivideRestrictionsSpec spec;
  private final RestrictionSplitCodec codec;
  private final WindowedValueCodec pairs;
  private final Clock clock;

  private AgreedFile file;
  private Receiver rests;
  private Optional<List<RestrictionSplit>> agreed = Optional.empty();
  private final Map<ByteBuffer, Deque<RestrictionSplit>> toRepeat = new HashMap<>();
  private final List<RestrictionSplit> made = new ArrayList<>();

  public DivideRestrictionsOperator(DivideRestrictionsSpec spec) {
    super(spec.step());
    this.spec = spec;
    this.codec = new RestrictionSplitCodec(spec);
    this.pairs = new WindowedValueCodec(spec.pairs());
    this.clock = new Clock();
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    super.start(context);
    rests = context.output(DivideRestrictionsSpec.RESTS);
    file = context.agreedFile(context.vertexId());
    Optional<byte[]> bytes = readAgreed();
    if (bytes.isPresent()) {
      agreed = Optional.of(codec.decode(bytes.get()));
      for (RestrictionSplit split : agreed.get()) {
        toRepeat.computeIfAbsent(split.pair(), key -> new ArrayDeque<>()).add(split);
      }
    }
  }

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    KV<?, ?> pair = (KV<?, ?>) element.getValue();
    begin(element.withValue(pair.getKey()), pair.getValue());
    if (agreed.isEmpty()) {
      divide(element, pair);
    } else {
      repeat(element);
    }
  }

  private void divide(WindowedValue<Object> element, KV<?, ?> pair) throws Exception {
    List<Object> processed = new ArrayList<>();
    List<Object> left = new ArrayList<>();
    List<Object> whole = new ArrayList<>();
    clock.begin();
    arguments().observeClaims(clock);
    boolean more = true;
    while (more) {
      RestrictionTracker<Object, Object> tracker = arguments().tracker();
      more = processOnce();
      processed.add(tracker.currentRestriction());
      clock.takeRest().ifPresent(left::add);
      if (more && (clock.isOver() || !left.isEmpty())) {
        left.add(0, arguments().restriction());
        more = false;
      } else if (more && awaitsCommit()) {
        whole.add(arguments().restriction());
        more = false;
      }
      if (more) {
        continueInNewBundle();
      }
    }
    arguments().observeClaims(null);
    if (!left.isEmpty() || !whole.isEmpty()) {
      Object state = estimatorState();
      List<WindowedValue<?>> parts = new ArrayList<>();
      for (Object rest : left) {
        whole.addAll(parts(rest));
      }
      for (Object part : whole) {
        parts.add(element.withValue(KV.of(KV.of(pair.getKey(), part), state)));
      }
      made.add(new RestrictionSplit(encoded(element), processed, parts));
    }
  }

  /** A rest in several parts, as its tracker divides it. */
  private List<Object> parts(Object rest) {
    List<Object> parts = new ArrayList<>();
    Object left = rest;
    for (int more = clock.parts(); more > 1; more--) {
      arguments().setRestriction(left);
      SplitResult<Object> split = arguments().tracker().trySplit(1.0 / more);
      if (split == null) {
        break;
      }
      parts.add(split.getPrimary());
      left = split.getResidual();
    }
    parts.add(left);
    return parts;
  }

  private void repeat(WindowedValue<Object> element) throws Exception {
    Deque<RestrictionSplit> same = toRepeat.isEmpty() ? null : toRepeat.get(encoded(element));
    RestrictionSplit split = same == null ? null : same.poll();
    if (split == null) {
      processToEnd();
      return;
    }
    boolean first = true;
    for (Object part : split.processed()) {
      if (!first) {
        continueInNewBundle();
      }
      first = false;
      arguments().setRestriction(part);
      processToEnd();
    }
  }

  private ByteBuffer encoded(WindowedValue<Object> pair) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pairs.encode(pair, bytes);
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  @Override
  protected void end() throws Exception {
    super.end();
    if (agreed.isEmpty()) {
      agree();
    }
    for (RestrictionSplit split : agreed.orElse(made)) {
      for (WindowedValue<?> rest : split.rests()) {
        rests.accept(rest);
      }
    }
  }

  private void agree() throws IOException {
    byte[] own = codec.encode(made);
    try (AgreedFile.Draft draft = file.begin()) {
      draft.out().write(own);
      draft.publish();
    }
    if (!Arrays.equals(own, readAgreed().orElse(null))) {
      throw new IOException(
          "another attempt of this task has ended before, and has divided the restrictions of"
              + " step '"
              + stepName()
              + "' otherwise; the next attempt divides them as that one did");
    }
  }

  private Optional<byte[]> readAgreed() throws IOException {
    Optional<InputStream> in = file.open();
    if (in.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream bytes = in.get()) {
      return Optional.of(bytes.readAllBytes());
    }
  }

  /** Divides the restriction that is processed at the first claim after its time. */
  private final class Clock implements ClaimObserver<Object> {
    private final long limitNanos = TimeUnit.MILLISECONDS.toNanos(spec.limitMs());

    private long begun;
    private long next;
    private Optional<Object> rest = Optional.empty();
    private Progress progress = Progress.NONE;

    void begin() {
      begun = System.nanoTime();
      next = begun + limitNanos;
      rest = Optional.empty();
      progress = Progress.NONE;
    }

    boolean isOver() {
      return System.nanoTime() - begun >= limitNanos;
    }

    Optional<Object> takeRest() {
      Optional<Object> taken = rest;
      rest = Optional.empty();
      return taken;
    }

    @Override
    public void onClaimed(Object position) {
      if (rest.isPresent() || System.nanoTime() - next < 0) {
        return;
      }
      RestrictionTracker<Object, Object> tracker = arguments().tracker();
      if (tracker instanceof HasProgress measured) {
        progress = measured.getProgress();
      }
      SplitResult<Object> split = tracker.trySplit(0);
      if (split == null) {
        next = System.nanoTime() + limitNanos;
      } else {
        rest = Optional.of(split.getResidual());
      }
    }

    @Override
    public void onClaimFailed(Object position) {}

    /**
     * How many parts a rest should have: each as long as the limit, where the tracker knows how
     * much is left, and at least one for each slot and at most four.
     */
    int parts() {
      double done = progress.getWorkCompleted();
      double left = progress.getWorkRemaining();
      int fitting =
          done > 0 && left > 0
              ? (int)
                  Math.ceil(Math.min(Integer.MAX_VALUE, (next - begun) * left / done / limitNanos))
              : 0;
      return Math.max(spec.slots(), Math.min(fitting, 4 * spec.slots()));
    }
  }
}
