// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/** Sums bytes; its accumulators have 32 KB, however few values are in them, as sketches do. */
final class LargeSums extends CombineFn<Long, byte[], Long> {

  private static final long serialVersionUID = 1L;
  private static final int BYTES = 32 << 10;

  @Override
  public byte[] createAccumulator() {
    return new byte[BYTES];
  }

  @Override
  public byte[] addInput(byte[] sums, Long value) {
    sums[(int) Math.floorMod(Mixing.mix(value, 0), (long) BYTES)]++;
    return sums;
  }

  @Override
  public byte[] mergeAccumulators(Iterable<byte[]> accumulators) {
    byte[] merged = createAccumulator();
    for (byte[] sums : accumulators) {
      for (int i = 0; i < BYTES; i++) {
        merged[i] += sums[i];
      }
    }
    return merged;
  }

  @Override
  public Long extractOutput(byte[] sums) {
    long hash = 0;
    for (byte sum : sums) {
      hash = Mixing.value(hash, sum);
    }
    return hash;
  }

  @Override
  public Coder<byte[]> getAccumulatorCoder(CoderRegistry registry, Coder<Long> inputCoder) {
    return ByteArrayCoder.of();
  }

  @Override
  public Coder<Long> getDefaultOutputCoder(CoderRegistry registry, Coder<Long> inputCoder) {
    return VarLongCoder.of();
  }
}
