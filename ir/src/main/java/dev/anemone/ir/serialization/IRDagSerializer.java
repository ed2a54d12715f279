// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableSerializer;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;

/** Writes vertices, edges and control dependencies, each in the graph's order. */
final class IRDagSerializer extends ImmutableSerializer<IRDag> {

  @Override
  public void write(Kryo kryo, Output output, IRDag dag) {
    output.writeVarInt(dag.vertices().size(), true);
    for (IRVertex vertex : dag.vertices()) {
      kryo.writeClassAndObject(output, vertex);
    }
    output.writeVarInt(dag.edges().size(), true);
    for (IREdge edge : dag.edges()) {
      kryo.writeObject(output, edge);
    }
    output.writeVarInt(dag.controlDependencies().size(), true);
    for (ControlDependency dependency : dag.controlDependencies()) {
      kryo.writeObject(output, dependency);
    }
  }

  @Override
  public IRDag read(Kryo kryo, Input input, Class<? extends IRDag> type) {
    IRDag.Builder builder = IRDag.builder();
    for (int left = input.readVarInt(true); left > 0; left--) {
      builder.add((IRVertex) kryo.readClassAndObject(input));
    }
    for (int left = input.readVarInt(true); left > 0; left--) {
      builder.add(kryo.readObject(input, IREdge.class));
    }
    for (int left = input.readVarInt(true); left > 0; left--) {
      builder.add(kryo.readObject(input, ControlDependency.class));
    }
    return builder.build();
  }
}
