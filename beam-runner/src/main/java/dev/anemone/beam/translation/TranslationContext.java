// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.beam.translation.join.DivisibleSides;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.ResourceSlot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * The graph while it grows, and which vertices make each {@link PCollection}. Used by one thread,
 * for one pipeline.
 */
final class TranslationContext {

  /**
   * One output of one vertex.
   *
   * @param vertexId the vertex
   * @param output the output's name in the IR
   */
  record Producer(String vertexId, String output) {}

  /**
   * What a vertex reads.
   *
   * @param producers of the elements
   * @param elementCoder codes them
   */
  record Input(List<Producer> producers, FunctionSpec elementCoder) {

    Input {
      producers = List.copyOf(producers);
    }
  }

  private final PipelineOptions options;
  private final int slots;
  private final DivisibleSides divisibleSides;
  private final StableInputs stableInputs;
  private final Set<PCollection<?>> stable = new HashSet<>();
  private final Set<PCollection<?>> repeatableOrder = new HashSet<>();
  private final IRDag.Builder dag = IRDag.builder();
  private final MetricsContainerStepMap metrics = new MetricsContainerStepMap();
  private final Map<PCollection<?>, List<Producer>> producers = new HashMap<>();
  private final Map<PCollection<?>, FunctionSpec> elementCoders = new HashMap<>();
  private Optional<ResourceSlot> slot = Optional.empty();
  private int vertices;
  private int edges;

  TranslationContext(
      PipelineOptions options,
      int slots,
      DivisibleSides divisibleSides,
      StableInputs stableInputs) {
    this.options = options;
    this.slots = slots;
    this.divisibleSides = divisibleSides;
    this.stableInputs = stableInputs;
  }

  PipelineOptions options() {
    return options;
  }

  /** How many tasks can run at once. */
  int slots() {
    return slots;
  }

  /** What user code counts while it is translated. */
  MetricsContainer metrics(String stepName) {
    return metrics.getContainer(stepName);
  }

  Translation build() {
    return new Translation(dag.build(), metrics);
  }

  /** An id that no other vertex has. */
  String newVertexId() {
    vertices++;
    return "v" + vertices;
  }

  /** A step begins, whose tasks should occupy so much. */
  void begin(Optional<ResourceSlot> newSlot) {
    slot = newSlot;
  }

  void add(IRVertex vertex) {
    dag.add(slot.isEmpty() ? vertex : vertex.withProperties(vertex.properties().with(slot.get())));
  }

  /** A collection is what one output of a vertex makes. */
  void produces(PCollection<?> collection, String vertexId, String output) {
    producers.put(collection, List.of(new Producer(vertexId, output)));
  }

  /** The tasks that make a collection make it in the same order when they run again. */
  void madeInRepeatableOrder(PCollection<?> collection) {
    repeatableOrder.add(collection);
  }

  /** Whether {@link #madeInRepeatableOrder} was said of a collection. */
  boolean isInRepeatableOrder(PCollection<?> collection) {
    return repeatableOrder.contains(collection);
  }

  /** A collection is the union of what these producers make. */
  void produces(PCollection<?> collection, List<Producer> union) {
    producers.put(collection, List.copyOf(union));
  }

  /** Whatever makes a collection, one entry for each time that an element of it is made. */
  List<Producer> producersOf(PCollection<?> collection) {
    List<Producer> found = producers.get(collection);
    if (found == null) {
      throw new IllegalStateException(
          "PCollection "
              + collection.getName()
              + " is read before it is translated: the pipeline was not visited in topological"
              + " order");
    }
    return found;
  }

  /** A collection as it is. */
  Input inputOf(PCollection<?> collection) {
    return new Input(producersOf(collection), elementCoder(collection));
  }

  /**
   * A collection that stays as it is when what makes it runs again: behind a vertex that keeps it
   * for later attempts of its tasks, unless it is one that such a vertex has spread.
   */
  Input stableInputOf(PCollection<?> collection, String stepName) {
    Input input = inputOf(collection);
    if (stable.contains(collection)) {
      return input;
    }
    String id = newVertexId();
    add(
        OperatorVertex.of(
            id,
            stepName + "/StableInput",
            FunctionSpec.of(Urns.STABLE_INPUT, input.elementCoder().payload())));
    connectMain(input, id);
    return new Input(List.of(new Producer(id, IREdge.MAIN)), input.elementCoder());
  }

  /**
   * A collection that is spread over tasks to become another one, kept stable before where a step
   * needs the other to be: a task gets the same elements again only if none of them has gone to
   * another task meanwhile.
   */
  Input inputOfSpread(PCollection<?> collection, PCollection<?> spread, String stepName) {
    if (!isKeptBeforeSpread(spread)) {
      return inputOf(collection);
    }
    stable.add(spread);
    return stableInputOf(collection, stepName);
  }

  /** Whether what is spread to become a collection is kept stable before. */
  boolean isKeptBeforeSpread(PCollection<?> spread) {
    return stableInputs.contains(spread);
  }

  /** A vertex iterates its input, task by task. */
  void connectMain(Input input, String to) {
    connect(input, to, IREdge.MAIN, ExecutionProperties.of(CommunicationPattern.ONE_TO_ONE));
  }

  /** Every task of a vertex reads all of a view's collection. */
  @SuppressWarnings("deprecation") // meant for runners, and the view has no other identity
  void connectSideInput(PCollectionView<?> view, String to) {
    connectSideInput(view, view.getTagInternal().getId(), to);
  }

  /**
   * The same.
   *
   * @param name of the vertex's side input
   */
  @SuppressWarnings("deprecation") // meant for runners
  void connectSideInput(PCollectionView<?> view, String name, String to) {
    connect(
        inputOf(view.getPCollection()),
        to,
        name,
        ExecutionProperties.of(CommunicationPattern.BROADCAST));
  }

  /** A vertex iterates its input after the elements were spread over all tasks. */
  void connectSpread(Input input, String to) {
    connect(
        input, to, IREdge.MAIN, ExecutionProperties.of(CommunicationPattern.SHUFFLE, Order.NONE));
  }

  /** A vertex reads a collection of key-value pairs, grouped by key. */
  void connectGrouped(PCollection<?> collection, KvCoder<?, ?> coder, String to) {
    ExecutionProperties<EdgeProperty> whole =
        byKey(coder, GroupingSpec.of(collection.getWindowingStrategy()));
    ExecutionProperties<EdgeProperty> divisible = whole.with(Divisibility.DIVISIBLE);
    Set<Producer> sides =
        divisibleSides.of(collection).stream()
            .flatMap(side -> producersOf(side).stream())
            .collect(Collectors.toSet());
    FunctionSpec elements = elementCoder(collection);
    for (Producer producer : producersOf(collection)) {
      connect(producer, to, IREdge.MAIN, elements, sides.contains(producer) ? divisible : whole);
    }
  }

  /** A vertex reads key-value pairs, all windows of a key in one group. */
  void connectWholeKeys(Input input, KvCoder<?, ?> coder, String to) {
    connect(input, to, IREdge.MAIN, byKey(coder, GroupingSpec.ofWholeKeys()));
  }

  private static ExecutionProperties<EdgeProperty> byKey(
      KvCoder<?, ?> coder, GroupingSpec grouping) {
    return ExecutionProperties.of(
        CommunicationPattern.SHUFFLE,
        Order.BY_KEY,
        new KeyExtractor(
            BeamSpecs.toFunctionSpec(Urns.KV_KEY, grouping),
            grouping.hasOneKey(coder.getKeyCoder())),
        new KeyEncoder(BeamSpecs.toFunctionSpec(Urns.CODER, coder.getKeyCoder())));
  }

  private void connect(
      Input input, String to, String name, ExecutionProperties<EdgeProperty> properties) {
    for (Producer producer : input.producers()) {
      connect(producer, to, name, input.elementCoder(), properties);
    }
  }

  private void connect(
      Producer producer,
      String to,
      String input,
      FunctionSpec coder,
      ExecutionProperties<EdgeProperty> properties) {
    edges++;
    dag.add(
        new IREdge(
            "e" + edges, producer.vertexId(), producer.output(), to, input, coder, properties));
  }

  /**
   * The consumed collection's coder, whatever branch an element comes from: so equal keys have
   * equal bytes.
   */
  private FunctionSpec elementCoder(PCollection<?> collection) {
    return elementCoders.computeIfAbsent(
        collection, c -> elementCoder(c.getCoder(), c.getWindowingStrategy()));
  }

  /** Codes values together with their timestamp, windows and pane. */
  static FunctionSpec elementCoder(Coder<?> coder, WindowingStrategy<?, ?> windowing) {
    return BeamSpecs.toFunctionSpec(
        Urns.WINDOWED_VALUE, new ElementCoderSpec(coder, windowing.getWindowFn().windowCoder()));
  }

  /** The coder of a collection that is grouped by key. */
  static KvCoder<?, ?> kvCoderOf(PCollection<?> collection) {
    Coder<?> coder = collection.getCoder();
    if (coder instanceof KvCoder<?, ?> kvCoder) {
      return kvCoder;
    }
    throw new InvalidPipelineException(
        "PCollection '"
            + collection.getName()
            + "' is grouped by key, which needs a KvCoder, but its coder is "
            + coder
            + ". Call setCoder(KvCoder.of(keyCoder, valueCoder)) on the PCollection.");
  }
}
