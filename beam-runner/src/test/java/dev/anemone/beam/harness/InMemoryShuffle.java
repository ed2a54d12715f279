// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.harness;

import dev.anemone.beam.operator.BeamFunctionProvider;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.RecordSink;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * A keyed shuffle in memory: encodes elements as a producer would, and groups them by key bytes.
 */
public final class InMemoryShuffle implements RecordSink {

  private final RecordEncoder encoder;
  private final TreeMap<byte[], List<byte[]>> groups = new TreeMap<>(Arrays::compareUnsigned);
  private final ByteArrayOutputStream key = new ByteArrayOutputStream();
  private final ByteArrayOutputStream value = new ByteArrayOutputStream();

  /** A shuffle of elements with these coders and windows. */
  public InMemoryShuffle(Coder<?> keyCoder, Coder<?> valueCoder, WindowingStrategy<?, ?> windowing)
      throws Exception {
    this(GroupingSpec.of(windowing), keyCoder, valueCoder, windowing);
  }

  /** A shuffle that groups as it is told. */
  public InMemoryShuffle(
      GroupingSpec grouping,
      Coder<?> keyCoder,
      Coder<?> valueCoder,
      WindowingStrategy<?, ?> windowing)
      throws Exception {
    FunctionSpec keyExtractor = BeamSpecs.toFunctionSpec(Urns.KV_KEY, grouping);
    FunctionSpec keyEncoder = BeamSpecs.toFunctionSpec(Urns.CODER, keyCoder);
    FunctionSpec element =
        BeamSpecs.toFunctionSpec(
            Urns.WINDOWED_VALUE,
            new ElementCoderSpec(
                KvCoder.of(keyCoder, valueCoder), windowing.getWindowFn().windowCoder()));
    this.encoder =
        new BeamFunctionProvider()
            .recordEncoder(
                keyExtractor, keyEncoder, element, new InMemoryTask(FunctionSpec.of("none")));
  }

  /** Adds elements. */
  public InMemoryShuffle add(List<? extends WindowedValue<?>> elements) throws Exception {
    for (WindowedValue<?> element : elements) {
      encoder.encode(element, this);
    }
    return this;
  }

  /** The groups so far, in the order of their key bytes. */
  public List<KeyGroup> groups() {
    List<KeyGroup> result = new ArrayList<>();
    groups.forEach((keyBytes, values) -> result.add(new Group(keyBytes, values)));
    return result;
  }

  /** Sizes of all records' keys and values, in bytes. */
  public long bytes() {
    long bytes = 0;
    for (var group : groups.entrySet()) {
      for (byte[] each : group.getValue()) {
        bytes += group.getKey().length + each.length;
      }
    }
    return bytes;
  }

  @Override
  public OutputStream key() {
    return key;
  }

  @Override
  public OutputStream value() {
    return value;
  }

  @Override
  public void emit() {
    groups.computeIfAbsent(key.toByteArray(), bytes -> new ArrayList<>()).add(value.toByteArray());
    key.reset();
    value.reset();
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Group(byte[] keyBytes, List<byte[]> valueBytes) implements KeyGroup {

    @Override
    public InputStream key() {
      return new ByteArrayInputStream(keyBytes);
    }

    @Override
    public ValueCursor valuesOnce() {
      return new Cursor(valueBytes);
    }

    @Override
    public ReplayableValues replayableValues() {
      return () -> new Cursor(valueBytes);
    }
  }

  private static final class Cursor implements ValueCursor {

    private final List<byte[]> values;
    private int position = -1;

    Cursor(List<byte[]> values) {
      this.values = values;
    }

    @Override
    public boolean next() {
      position++;
      return position < values.size();
    }

    @Override
    public InputStream value() {
      return new ByteArrayInputStream(values.get(position));
    }
  }
}
