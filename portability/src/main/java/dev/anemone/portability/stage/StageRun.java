// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.harness.JobHarnesses;
import dev.anemone.portability.harness.ReturnedData;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.TypeCase;
import org.apache.beam.runners.fnexecution.control.BundleFinalizationHandlers;
import org.apache.beam.runners.fnexecution.control.BundleFinalizationHandlers.InMemoryFinalizer;
import org.apache.beam.runners.fnexecution.control.OutputReceiverFactory;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors.ExecutableProcessBundleDescriptor;
import org.apache.beam.runners.fnexecution.control.RemoteBundle;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.control.TimerReceiverFactory;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.runners.fnexecution.state.StateRequestHandlers;
import org.apache.beam.sdk.fn.data.FnDataReceiver;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * A stage in one task: sends elements to an SDK harness, bundle by bundle, and hands on what comes
 * back.
 *
 * <p>What comes back arrives on a thread that all bundles of the harness share, so that thread only
 * puts it into a queue; the task's thread takes it out whenever it has sent something, and until
 * the bundle has ended. Were it to run the steps that follow, a second stage of the same harness
 * among them would wait for data that only this thread can bring.
 *
 * <p>Used by the task's thread. A bundle takes as long as the user's code does; a harness that goes
 * away ends it.
 */
final class StageRun implements AutoCloseable {

  /** The part of the task's memory that may hold what came back. */
  private static final int MEMORY_SHARES = 4;

  private final ReturnedElements returned;
  private final Map<String, ReturnedElements.Output> outputs = new HashMap<>();
  private final OperatorContext context;
  private final JobHarnesses harnesses;
  private final ReturnedData data;
  private final StageBundleFactory bundles;
  private final HarnessWatch watch;
  private final StageMetrics metrics = new StageMetrics();
  private final Residuals residuals;
  private final InMemoryFinalizer finalizer;
  private final StateRequestHandler state;

  private RemoteBundle bundle;
  private FnDataReceiver<Object> input;

  private StageRun(
      StageSpec spec,
      OperatorContext context,
      JobHarnesses harnesses,
      JobHarnesses.OfStage ofStage,
      Optional<KeyedState> keyedState)
      throws Exception {
    this.context = context;
    this.harnesses = harnesses;
    this.bundles = ofStage.bundles();
    this.data = ofStage.harness().returnedBy(bundles.getProcessBundleDescriptor());
    ExecutableStage stage = spec.stage();
    returned =
        new ReturnedElements(context.newSpillFile(), context.memoryBudgetBytes() / MEMORY_SHARES);
    addOutputs(bundles.getProcessBundleDescriptor());
    residuals = new Residuals(bundles.getProcessBundleDescriptor());
    finalizer =
        BundleFinalizationHandlers.inMemoryFinalizer(bundles.getInstructionRequestHandler());
    Map<TypeCase, StateRequestHandler> handlers = new EnumMap<>(TypeCase.class);
    if (!stage.getSideInputs().isEmpty()) {
      StateRequestHandler sideInputs = StageSideInputs.of(stage, bundles, context);
      for (TypeCase type : StageSideInputs.TYPES) {
        handlers.put(type, sideInputs);
      }
    }
    keyedState.ifPresent(keyed -> KeyedState.TYPES.forEach(type -> handlers.put(type, keyed)));
    state =
        handlers.isEmpty()
            ? StateRequestHandler.unsupported()
            : StateRequestHandlers.delegateBasedUponType(new EnumMap<>(handlers));
    watch = HarnessWatch.of(ofStage.harness(), returned::end);
  }

  /**
   * Finds a harness for the stage; starts one if there is none.
   *
   * @param keyedState the state of the stage's keys, if it has keys
   */
  static StageRun open(StageSpec spec, OperatorContext context, Optional<KeyedState> keyedState)
      throws Exception {
    JobHarnesses harnesses = JobHarnesses.of(spec.job(), context);
    return new StageRun(spec, context, harnesses, harnesses.take(spec.stage()), keyedState);
  }

  @SuppressWarnings("unchecked") // the elements are those that the coders code
  private void addOutputs(ExecutableProcessBundleDescriptor descriptor) {
    descriptor
        .getRemoteOutputCoders()
        .forEach(
            (transform, coder) -> {
              String collection =
                  Iterables.getOnlyElement(
                      descriptor
                          .getProcessBundleDescriptor()
                          .getTransformsOrThrow(transform)
                          .getInputsMap()
                          .values());
              outputs.put(
                  collection, returned.output(transform, coder, context.output(collection)));
            });
  }

  /** What begins bundles; for receivers of timers. */
  StageBundleFactory bundles() {
    return bundles;
  }

  /** Whether a bundle has begun and not ended. */
  boolean isInBundle() {
    return bundle != null;
  }

  /**
   * Begins a bundle.
   *
   * @param timers takes the timers that the stage sets
   */
  @SuppressWarnings("unchecked") // the stage takes the elements of its input's coder
  void begin(TimerReceiverFactory timers) throws Exception {
    returned.begin();
    watch.enter();
    try {
      bundle = bundles.getBundle(receivers(), timers, state, metrics, finalizer, residuals);
    } catch (Exception e) {
      throw watch.causeOf(e);
    } finally {
      watch.leave();
    }
    data.connect(bundle.getId(), returned);
    input = bundle.getInputReceivers().values().iterator().next();
  }

  /** Begins a bundle of a stage that sets no timers. */
  void begin() throws Exception {
    begin(null);
  }

  private OutputReceiverFactory receivers() {
    return new OutputReceiverFactory() {
      @Override
      public <T> FnDataReceiver<T> create(String collection) {
        ReturnedElements.Output output = outputs.get(collection);
        return element -> returned.addDecoded(output, element);
      }
    };
  }

  /** Sends an element of the main input, and hands on what has come back by now. */
  void send(Object element) throws Exception {
    watch.enter();
    try {
      input.accept(element);
    } catch (Exception e) {
      throw watch.causeOf(e);
    } finally {
      watch.leave();
    }
    returned.handOn();
  }

  /** Sends all timers that are set. */
  void fire(StageTimers timers) throws Exception {
    watch.enter();
    try {
      timers.fire(bundle.getTimerReceivers());
    } catch (Exception e) {
      throw watch.causeOf(e);
    } finally {
      watch.leave();
    }
  }

  /**
   * Ends the bundle, hands on all that comes back, and processes in further bundles what the
   * stage's splittable functions have left for later.
   */
  void end() throws Exception {
    endBundle();
    while (residuals.isLeft()) {
      residuals.awaitResumption();
      begin();
      for (Object element : residuals.take()) {
        send(element);
      }
      endBundle();
    }
  }

  private void endBundle() throws Exception {
    RemoteBundle ending = bundle;
    bundle = null;
    CompletableFuture<Void> ended = endInBackground(ending);
    returned.handOnUntilEnd();
    // If the harness is gone, that is the end, whatever the bundle still waits for.
    watch.enter();
    try {
      ended.join();
    } catch (CompletionException e) {
      throw watch.causeOf(e);
    } finally {
      watch.leave();
    }
  }

  private CompletableFuture<Void> endInBackground(RemoteBundle ending) {
    return CompletableFuture.runAsync(
            () -> {
              try {
                ending.close();
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            },
            harnesses.threads())
        .whenComplete(
            (nothing, failure) -> {
              data.disconnect(ending.getId());
              returned.end();
            });
  }

  /** All input has been processed: reports what was counted, and finalizes after the commit. */
  void finish() {
    metrics.report().ifPresent(context::report);
    context.afterCommit(finalizer::finalizeAllOutstandingBundles);
  }

  /** Leaves the harness to others. What a bundle that has not ended still makes is dropped. */
  @Override
  public void close() throws Exception {
    watch.close();
    returned.close();
    if (bundle != null) {
      var unused = endInBackground(bundle);
      bundle = null;
    }
    bundles.close();
  }
}
