// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.KV;

/**
 * Some elements with random keys and values, the same ones each time. It says that each of its
 * parts is large, so that there is a producer task for each.
 */
public final class SkewedSource extends BoundedSource<KV<Integer, Long>> {

  public static final Coder<KV<Integer, Long>> CODER =
      KvCoder.of(VarIntCoder.of(), VarLongCoder.of());

  private static final long serialVersionUID = 1L;
  private static final long PART_BYTES = 128L << 20;
  private static final int ALL_PARTS = -1;

  private final KeyLaw law;
  private final int argument;
  private final int elements;
  private final int parts;
  private final int part;
  private final long seed;

  /**
   * A source.
   *
   * @param law of its keys
   * @param argument of the law
   * @param elements how many elements it has, over all parts
   * @param parts into how many parts it splits
   * @param seed of its elements
   */
  public SkewedSource(KeyLaw law, int argument, int elements, int parts, long seed) {
    this(law, argument, elements, parts, ALL_PARTS, seed);
  }

  private SkewedSource(KeyLaw law, int argument, int elements, int parts, int part, long seed) {
    this.law = law;
    this.argument = argument;
    this.elements = elements;
    this.parts = parts;
    this.part = part;
    this.seed = seed;
  }

  public int elements() {
    return elements;
  }

  @Override
  public List<SkewedSource> split(long desiredBundleSizeBytes, PipelineOptions options) {
    return part == ALL_PARTS
        ? IntStream.range(0, parts)
            .mapToObj(p -> new SkewedSource(law, argument, elements, parts, p, seed))
            .toList()
        : List.of(this);
  }

  @Override
  public long getEstimatedSizeBytes(PipelineOptions options) {
    return part == ALL_PARTS ? parts * PART_BYTES : PART_BYTES;
  }

  @Override
  public Coder<KV<Integer, Long>> getOutputCoder() {
    return CODER;
  }

  @Override
  public BoundedReader<KV<Integer, Long>> createReader(PipelineOptions options) {
    return new Reader(this);
  }

  @Override
  public String toString() {
    return law + "(" + argument + ") with " + elements + " elements in " + parts + " parts";
  }

  private static final class Reader extends BoundedReader<KV<Integer, Long>> {

    private final SkewedSource source;
    private int next;
    private KV<Integer, Long> current;

    Reader(SkewedSource source) {
      this.source = source;
      this.next = Math.max(0, source.part);
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (next >= source.elements) {
        current = null;
        return false;
      }
      Random random = new Random(Mixing.mix(source.seed, next));
      current = KV.of(source.law.draw(random, source.argument), (long) random.nextInt(1_000_000));
      next += source.part == ALL_PARTS ? 1 : source.parts;
      return true;
    }

    @Override
    public KV<Integer, Long> getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public void close() {}

    @Override
    public BoundedSource<KV<Integer, Long>> getCurrentSource() {
      return source;
    }
  }
}
