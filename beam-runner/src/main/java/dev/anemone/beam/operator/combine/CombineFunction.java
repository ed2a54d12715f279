// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.TaskContext;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.transforms.CombineWithContext.CombineFnWithContext;
import org.apache.beam.sdk.transforms.CombineWithContext.Context;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.CombineFnUtil;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * A combine function with or without context, called in a window. What a method returns is the
 * accumulator from then on: the function may change the one it was given, or leave it and return
 * another.
 */
final class CombineFunction {

  private final CombineFnWithContext<Object, Object, Object> combineFn;
  private final WindowContext context;

  CombineFunction(CombineSpec spec, OperatorContext operatorContext) throws Exception {
    this(spec, operatorContext, new SideInputs(spec.sideInputs(), operatorContext));
  }

  private CombineFunction(CombineSpec spec, TaskContext taskContext, SideInputs sideInputs)
      throws Exception {
    @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
    GlobalCombineFn<Object, Object, Object> typed =
        (GlobalCombineFn<Object, Object, Object>) spec.combineFn();
    this.combineFn = CombineFnUtil.toFnWithContext(typed);
    this.context = new WindowContext(JobOptions.of(taskContext), sideInputs);
  }

  /** The function of a combine that reads no side inputs, for use outside its operators. */
  static CombineFunction withoutSideInputs(CombineSpec spec, TaskContext taskContext)
      throws Exception {
    return new CombineFunction(spec, taskContext, SideInputs.NONE);
  }

  /** The window that calls are made in from now on; side inputs are those for it. */
  void enter(BoundedWindow window) {
    context.window = window;
  }

  Object create() {
    return combineFn.createAccumulator(context);
  }

  Object add(Object accumulator, Object input) {
    return combineFn.addInput(accumulator, input, context);
  }

  Object merge(List<Object> accumulators) {
    return combineFn.mergeAccumulators(accumulators, context);
  }

  Object compact(Object accumulator) {
    return combineFn.compact(accumulator, context);
  }

  Object extract(Object accumulator) {
    return combineFn.extractOutput(accumulator, context);
  }

  /** The context of all calls; one object whose window changes. */
  private static final class WindowContext extends Context {

    private final PipelineOptions options;
    private final SideInputs sideInputs;
    private BoundedWindow window;

    WindowContext(PipelineOptions options, SideInputs sideInputs) {
      this.options = options;
      this.sideInputs = sideInputs;
    }

    @Override
    public PipelineOptions getPipelineOptions() {
      return options;
    }

    @Override
    public <T> T sideInput(PCollectionView<T> view) {
      return sideInputs.getForMainWindow(view, window);
    }
  }
}
