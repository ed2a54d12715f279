// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableSerializer;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.property.Property;
import java.util.ArrayList;
import java.util.List;

/** Writes the values; each knows its type. */
final class ExecutionPropertiesSerializer extends ImmutableSerializer<ExecutionProperties<?>> {

  @Override
  public void write(Kryo kryo, Output output, ExecutionProperties<?> properties) {
    output.writeVarInt(properties.values().size(), true);
    for (Property property : properties.values()) {
      kryo.writeClassAndObject(output, property);
    }
  }

  @Override
  public ExecutionProperties<?> read(
      Kryo kryo, Input input, Class<? extends ExecutionProperties<?>> type) {
    int size = input.readVarInt(true);
    List<Property> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add((Property) kryo.readClassAndObject(input));
    }
    return ExecutionProperties.copyOf(values);
  }
}
