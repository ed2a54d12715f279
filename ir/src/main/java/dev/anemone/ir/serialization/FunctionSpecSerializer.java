// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableSerializer;
import dev.anemone.ir.function.FunctionSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes each function once per value and refers to it afterwards: a coder stands on an edge up to
 * three times, and on many edges.
 */
final class FunctionSpecSerializer extends ImmutableSerializer<FunctionSpec> {

  private static final int NEW = 0;

  @Override
  @SuppressWarnings("unchecked") // only this class uses itself as a key of the context
  public void write(Kryo kryo, Output output, FunctionSpec spec) {
    Map<FunctionSpec, Integer> numbers =
        (Map<FunctionSpec, Integer>) kryo.getGraphContext().get(FunctionSpecSerializer.class);
    if (numbers == null) {
      numbers = new HashMap<>();
      kryo.getGraphContext().put(FunctionSpecSerializer.class, numbers);
    }
    Integer number = numbers.putIfAbsent(spec, numbers.size() + 1);
    if (number != null) {
      output.writeVarInt(number, true);
      return;
    }
    byte[] payload = spec.payload();
    output.writeVarInt(NEW, true);
    output.writeString(spec.urn());
    output.writeVarInt(payload.length, true);
    output.writeBytes(payload);
  }

  @Override
  @SuppressWarnings("unchecked") // only this class uses itself as a key of the context
  public FunctionSpec read(Kryo kryo, Input input, Class<? extends FunctionSpec> type) {
    List<FunctionSpec> known =
        (List<FunctionSpec>) kryo.getGraphContext().get(FunctionSpecSerializer.class);
    if (known == null) {
      known = new ArrayList<>();
      kryo.getGraphContext().put(FunctionSpecSerializer.class, known);
    }
    int number = input.readVarInt(true);
    if (number != NEW) {
      return known.get(number - 1);
    }
    String urn = input.readString();
    FunctionSpec spec = FunctionSpec.of(urn, input.readBytes(input.readVarInt(true)));
    known.add(spec);
    return spec;
  }
}
