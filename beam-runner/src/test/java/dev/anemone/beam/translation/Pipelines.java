// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.coders.CannotProvideCoderException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.CombineWithContext.CombineFnWithContext;
import org.apache.beam.sdk.transforms.CombineWithContext.Context;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TypeDescriptor;
import org.apache.beam.sdk.values.TypeDescriptors;

/** Functions that the tests' pipelines are made of. */
final class Pipelines {

  static final TypeDescriptor<Integer> INTEGER = TypeDescriptors.integers();

  private Pipelines() {}

  /** The words of a line. */
  static final class SplitWords extends DoFn<String, String> {

    @ProcessElement
    public void split(@Element String line, OutputReceiver<String> out) {
      for (String word : line.split(" ", -1)) {
        out.output(word);
      }
    }
  }

  /** The number that a line is. */
  static final class ParseNumber extends DoFn<String, Integer> {

    @ProcessElement
    public void parse(@Element String line, OutputReceiver<Integer> out) {
      out.output(Integer.valueOf(line));
    }
  }

  /** A sum whose accumulator has a type that no coder is known for. */
  static final class OpaqueSum extends CombineFn<Integer, OpaqueSum.Box, Integer> {

    /** Not serializable, so that no coder can be inferred. */
    static final class Box {
      private int sum;
    }

    @Override
    public Box createAccumulator() {
      return new Box();
    }

    @Override
    public Box addInput(Box box, Integer input) {
      box.sum += input;
      return box;
    }

    @Override
    public Box mergeAccumulators(Iterable<Box> boxes) {
      Box merged = new Box();
      boxes.forEach(box -> merged.sum += box.sum);
      return merged;
    }

    @Override
    public Integer extractOutput(Box box) {
      return box.sum;
    }

    @Override
    public Coder<Integer> getDefaultOutputCoder(CoderRegistry registry, Coder<Integer> inputCoder) {
      return VarIntCoder.of();
    }

    @Override
    public Coder<Box> getAccumulatorCoder(CoderRegistry registry, Coder<Integer> inputCoder)
        throws CannotProvideCoderException {
      throw new CannotProvideCoderException("a box has no coder");
    }
  }

  /** A sum times a side input. */
  static final class ScaledSum extends CombineFnWithContext<Integer, Integer, Integer> {

    private final PCollectionView<Integer> factor;

    ScaledSum(PCollectionView<Integer> factor) {
      this.factor = factor;
    }

    @Override
    public Integer createAccumulator(Context context) {
      return 0;
    }

    @Override
    public Integer addInput(Integer sum, Integer input, Context context) {
      return sum + input;
    }

    @Override
    public Integer mergeAccumulators(Iterable<Integer> sums, Context context) {
      int merged = 0;
      for (Integer sum : sums) {
        merged += sum;
      }
      return merged;
    }

    @Override
    public Integer extractOutput(Integer sum, Context context) {
      return sum * context.sideInput(factor);
    }
  }
}
