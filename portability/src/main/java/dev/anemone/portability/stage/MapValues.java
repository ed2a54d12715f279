// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.StateSpec;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.util.construction.RehydratedComponents;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * Tells apart the values of a key of a multimap, which lie one after another: who asks for all
 * entries of a map gets them with their number, as Beam's coder of iterables has it. Coders are
 * made when they are asked for, since most maps are never read so. Not thread-safe.
 */
final class MapValues {

  /** A state of a step. */
  private record Name(String transform, String state) {}

  private final Components components;
  private final Map<String, Map<String, StateSpec>> states;
  private final Map<Name, Coder<?>> coders = new HashMap<>();

  /**
   * For the maps of a stage.
   *
   * @param components has the coders
   * @param states of each step, by their names
   */
  MapValues(Components components, Map<String, Map<String, StateSpec>> states) {
    this.components = components;
    this.states = Map.copyOf(states);
  }

  /** For the maps of a stage. */
  static MapValues of(ExecutableStage stage) {
    return new MapValues(
        stage.getComponents(),
        StageFunctions.steps(stage)
            .collect(
                toMap(PTransformNode::getId, s -> StageFunctions.payload(s).getStateSpecsMap())));
  }

  /**
   * Values with their number before them.
   *
   * @throws IOException when the coder of the values is none that Java knows, or does not decode
   *     them
   */
  ByteString iterable(MultimapKeysUserState map, ByteString values) throws IOException {
    Coder<?> coder = coder(new Name(map.getTransformId(), map.getUserStateId()));
    int number = 0;
    InputStream in = values.newInput();
    while (in.available() > 0) {
      coder.decode(in);
      number++;
    }
    return ByteString.copyFrom(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip())
        .concat(values);
  }

  private Coder<?> coder(Name name) throws IOException {
    Coder<?> known = coders.get(name);
    if (known == null) {
      StateSpec spec = states.get(name.transform()).get(name.state());
      known =
          RehydratedComponents.forComponents(components)
              .getCoder(spec.getMultimapSpec().getValueCoderId());
      coders.put(name, known);
    }
    return known;
  }
}
