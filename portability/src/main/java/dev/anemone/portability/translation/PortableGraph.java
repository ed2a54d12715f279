// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.beam.translation.Translation;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.portability.stage.StageSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.PCollection;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.runners.fnexecution.wire.WireCoders;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.util.construction.graph.PipelineNode;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues.FullWindowedValueCoder;
import org.apache.beam.sdk.values.WindowingStrategy;

/** The graph while it grows, with collections by their ids. Used by one thread. */
final class PortableGraph {

  /** One output of one vertex. */
  private record Producer(String vertexId, String output) {}

  private final Components components;
  private final IRDag.Builder dag = IRDag.builder();
  private final Map<String, List<Producer>> producers = new HashMap<>();
  private final Map<String, FullWindowedValueCoder<?>> coders = new HashMap<>();
  private int vertices;
  private int edges;

  PortableGraph(Components components) {
    this.components = components;
  }

  Translation build(Map<String, Path> files) {
    return new Translation(dag.build(), new MetricsContainerStepMap(), files);
  }

  /** An id that no other vertex has. */
  String newVertexId() {
    vertices++;
    return "v" + vertices;
  }

  void add(IRVertex vertex) {
    dag.add(vertex);
  }

  /** A collection is what one output of a vertex makes. */
  void produces(String collection, String vertexId, String output) {
    producers.put(collection, List.of(new Producer(vertexId, output)));
  }

  /** A collection is the union of others, whose elements are coded alike. */
  void producesUnion(String collection, List<String> parts, String stepName) {
    for (String part : parts) {
      if (!valueCoder(part).equals(valueCoder(collection))) {
        throw new InvalidPipelineException(
            "Step '"
                + stepName
                + "' flattens PCollections of different coders, "
                + valueCoder(part)
                + " into "
                + valueCoder(collection)
                + ". Give them the same type, or put a step between that makes it so.");
      }
    }
    if (parts.isEmpty()) {
      addEmpty(collection, stepName);
      return;
    }
    producers.put(collection, parts.stream().flatMap(part -> producersOf(part).stream()).toList());
  }

  /** A source without parts would have no task; one without elements has. */
  private void addEmpty(String collection, String stepName) {
    String id = newVertexId();
    add(
        SourceVertex.of(
            id,
            stepName,
            FunctionSpec.of(StageSpec.NOTHING),
            List.of(new SourcePart(FunctionSpec.of(StageSpec.NOTHING), 0, List.of()))));
    produces(collection, id, IREdge.MAIN);
  }

  private List<Producer> producersOf(String collection) {
    List<Producer> found = producers.get(collection);
    if (found == null) {
      throw new IllegalStateException(
          "PCollection " + collection + " is read before it is translated");
    }
    return found;
  }

  /** A vertex iterates a collection, task by task. */
  void connectMain(String collection, String to) {
    connect(collection, to, IREdge.MAIN, ExecutionProperties.of(CommunicationPattern.ONE_TO_ONE));
  }

  /** Every task of a vertex reads all of a collection, by the collection's id. */
  void connectSideInput(String collection, String to) {
    connect(collection, to, collection, ExecutionProperties.of(CommunicationPattern.BROADCAST));
  }

  /**
   * A vertex works on what a collection only describes, after its elements were dealt out to all
   * tasks in the order of their bytes.
   *
   * @param stepName of the vertex, for people
   * @param to has the trait that says that this order repeats
   */
  void connectWork(String collection, String to, String stepName) {
    String order = newVertexId();
    add(
        OperatorVertex.of(
                order,
                stepName + "/Order",
                BeamSpecs.toFunctionSpec(StageSpec.CONTENT_ORDER, elementCoder(collection)))
            .withTraits(Set.of(OperatorTrait.DIVIDES_WORK)));
    connectMain(collection, order);
    connect(List.of(new Producer(order, IREdge.MAIN)), collection, to, IREdge.MAIN, spread());
  }

  /** A vertex iterates a collection after its elements were spread over all tasks. */
  void connectSpread(String collection, String to) {
    connect(collection, to, IREdge.MAIN, spread());
  }

  private static ExecutionProperties<EdgeProperty> spread() {
    return ExecutionProperties.of(CommunicationPattern.SHUFFLE, Order.NONE);
  }

  /** A vertex reads a collection of key-value pairs, grouped by key. */
  void connectGrouped(String collection, String to) {
    connect(collection, to, IREdge.MAIN, byKey(collection, GroupingSpec.of(windowing(collection))));
  }

  /** A vertex reads key-value pairs, all windows of a key in one group. */
  void connectWholeKeys(String collection, String to) {
    connect(collection, to, IREdge.MAIN, byKey(collection, GroupingSpec.ofWholeKeys()));
  }

  private ExecutionProperties<EdgeProperty> byKey(String collection, GroupingSpec grouping) {
    return ExecutionProperties.of(
        CommunicationPattern.SHUFFLE,
        Order.BY_KEY,
        new KeyExtractor(BeamSpecs.toFunctionSpec(Urns.KV_KEY, grouping)),
        new KeyEncoder(BeamSpecs.toFunctionSpec(Urns.CODER, keyedCoder(collection).getKeyCoder())));
  }

  private void connect(
      String collection, String to, String input, ExecutionProperties<EdgeProperty> properties) {
    connect(producersOf(collection), collection, to, input, properties);
  }

  private void connect(
      List<Producer> from,
      String collection,
      String to,
      String input,
      ExecutionProperties<EdgeProperty> properties) {
    FunctionSpec elements = BeamSpecs.toFunctionSpec(Urns.WINDOWED_VALUE, elementCoder(collection));
    for (Producer producer : from) {
      edges++;
      dag.add(
          new IREdge(
              "e" + edges,
              producer.vertexId(),
              producer.output(),
              to,
              input,
              elements,
              properties));
    }
  }

  /** The coder of a collection's elements. */
  ElementCoderSpec elementCoder(String collection) {
    FullWindowedValueCoder<?> coder = coder(collection);
    return new ElementCoderSpec(coder.getValueCoder(), coder.getWindowCoder());
  }

  /** The coder of a collection that is grouped by key. */
  KvCoder<?, ?> keyedCoder(String collection) {
    if (valueCoder(collection) instanceof KvCoder<?, ?> kvCoder) {
      return kvCoder;
    }
    throw new InvalidPipelineException(
        "PCollection '"
            + components.getPcollectionsOrThrow(collection).getUniqueName()
            + "' is grouped by key, which needs a coder of key-value pairs, but its coder is "
            + valueCoder(collection)
            + ". Give its step a type such as Tuple[K, V].");
  }

  /** How a collection is windowed. */
  WindowingStrategy<?, ?> windowing(String collection) {
    try {
      WindowingStrategy<?, ?> windowing =
          PipelineTranslatorUtils.getWindowingStrategy(collection, components);
      if (windowing.needsMerge()
          && !windowing.getWindowFn().windowCoder().equals(IntervalWindow.getCoder())) {
        // Of other windows the runner has the bytes alone.
        throw new IllegalArgumentException(windowing.getWindowFn() + " merges them");
      }
      return windowing;
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw unknownWindows(collection, e);
    }
  }

  private Coder<?> valueCoder(String collection) {
    return coder(collection).getValueCoder();
  }

  private FullWindowedValueCoder<?> coder(String collection) {
    return coders.computeIfAbsent(collection, this::instantiate);
  }

  private FullWindowedValueCoder<?> instantiate(String id) {
    PCollection collection = components.getPcollectionsOrThrow(id);
    try {
      Coder<WindowedValue<Object>> coder =
          WireCoders.instantiateRunnerWireCoder(
              PipelineNode.pCollection(id, collection), components);
      return (FullWindowedValueCoder<?>) coder;
    } catch (IOException | ClassCastException e) {
      throw unknownWindows(id, e);
    }
  }

  private InvalidPipelineException unknownWindows(String id, Exception cause) {
    return new InvalidPipelineException(
        "PCollection '"
            + components.getPcollectionsOrThrow(id).getUniqueName()
            + "' has windows that NemoRunner does not know from another SDK: "
            + cause.getMessage()
            + ". Use global, fixed, sliding or session windows.",
        cause);
  }
}
