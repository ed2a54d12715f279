// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/** Keeps all values until the end, and then makes a number of them. */
final class HashedList extends CombineFn<Long, List<Long>, Long> {

  private static final long serialVersionUID = 1L;

  @Override
  public List<Long> createAccumulator() {
    return new ArrayList<>();
  }

  @Override
  public List<Long> addInput(List<Long> list, Long value) {
    list.add(value);
    return list;
  }

  @Override
  public List<Long> mergeAccumulators(Iterable<List<Long>> lists) {
    List<Long> merged = new ArrayList<>();
    lists.forEach(merged::addAll);
    return merged;
  }

  @Override
  public Long extractOutput(List<Long> list) {
    long hash = 0;
    for (long value : list.stream().sorted().toList()) {
      hash = Mixing.value(hash, value);
    }
    return hash;
  }

  @Override
  public Coder<List<Long>> getAccumulatorCoder(CoderRegistry registry, Coder<Long> inputCoder) {
    return ListCoder.of(VarLongCoder.of());
  }

  @Override
  public Coder<Long> getDefaultOutputCoder(CoderRegistry registry, Coder<Long> inputCoder) {
    return VarLongCoder.of();
  }
}
