// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.record.GroupMerger;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One task of a stage: builds the chain of operators, runs its inputs through it, one after the
 * other, and ends it. Used once, by one thread.
 *
 * <p>Sources are read first, then links that are not grouped, then all grouped links merged by key.
 * Side inputs are read when an operator first asks for them.
 */
public final class StageTask {

  /** The part of a task's memory budget that one group's values may take. */
  private static final int MEMORY_SHARES = 4;

  private final StagePlan plan;
  private final FunctionProviders providers;
  private final TaskContext context;
  private final TaskLinks links;
  private volatile int partsRead;
  private volatile Optional<SourceReader> current = Optional.empty();
  private final Path spillDirectory;

  private final SourceChains chains;
  private final Map<String, Operator> operators = new LinkedHashMap<>();
  private final Map<String, RecordWriter> writers = new HashMap<>();
  private final List<TaskReport> reports = new ArrayList<>();

  /**
   * A task.
   *
   * @param spillDirectory local directory for what does not fit in memory; the task leaves nothing
   *     there
   */
  public StageTask(
      StagePlan plan,
      FunctionProviders providers,
      TaskContext context,
      TaskLinks links,
      Path spillDirectory) {
    this.plan = plan;
    this.providers = providers;
    this.context = context;
    this.links = links;
    this.spillDirectory = spillDirectory;
    this.chains = SourceChains.of(plan, providers);
  }

  /**
   * Runs the task.
   *
   * @return what its operators reported
   * @throws Exception when an operator, a source or a link failed; the operators have been closed
   */
  public List<TaskReport> run() throws Exception {
    Throwable failure = null;
    try {
      open();
      runSources();
      runRecords();
      runGroups();
      for (Operator operator : operators.values()) {
        operator.finish();
      }
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      close(failure);
    }
    return reports;
  }

  private void open() throws Exception {
    SideInputs sideInputs = new SideInputs(plan, providers, context, links);
    for (IRVertex vertex : plan.stage().vertices()) {
      FunctionSpec spec = operatorSpec(vertex);
      if (spec != null && !chains.isAbsorbed(vertex.id())) {
        operators.put(vertex.id(), providers.of(spec).operator(spec, context));
      }
    }
    // Consumers first: an operator may output as soon as it is open.
    List<Map.Entry<String, Operator>> entries = new ArrayList<>(operators.entrySet());
    for (int i = entries.size() - 1; i >= 0; i--) {
      String vertexId = entries.get(i).getKey();
      entries
          .get(i)
          .getValue()
          .open(
              new VertexContext(
                  context,
                  vertex(vertexId).orElseThrow(),
                  outputs(vertexId),
                  sideInputs.of(vertexId),
                  spillDirectory,
                  report -> report(vertexId, report)));
    }
  }

  private void report(String vertexId, byte[] report) {
    reports.add(new TaskReport(vertexId, context.taskIndex(), report));
  }

  private static FunctionSpec operatorSpec(IRVertex vertex) {
    if (vertex instanceof OperatorVertex operator) {
      return operator.operator();
    }
    return vertex instanceof CombinerVertex combiner ? combiner.operator() : null;
  }

  /** The receivers of a vertex's outputs, by name. */
  private Map<String, Receiver> outputs(String vertexId) throws Exception {
    Map<String, List<Receiver>> receivers = new HashMap<>();
    for (IREdge edge : plan.inner()) {
      if (edge.from().equals(vertexId)) {
        receivers.computeIfAbsent(edge.output(), k -> new ArrayList<>()).add(elementInput(edge));
      }
    }
    for (Link link : plan.outputs()) {
      if (link.aliasOf().isPresent()) {
        continue;
      }
      for (Channel channel : link.channels()) {
        if (channel.edge().from().equals(vertexId)) {
          receivers
              .computeIfAbsent(channel.edge().output(), k -> new ArrayList<>())
              .add(channelWriter(link, channel));
        }
      }
    }
    Map<String, Receiver> outputs = new HashMap<>();
    receivers.forEach((output, list) -> outputs.put(output, FanOut.to(list)));
    return outputs;
  }

  private Receiver channelWriter(Link link, Channel channel) throws Exception {
    RecordWriter writer = writers.get(link.peer());
    if (writer == null) {
      writer = links.writer(link.peer(), combinersOf(link));
      writers.put(link.peer(), writer);
    }
    IREdge edge = channel.edge();
    FunctionSpec encoder = required(edge, Encoder.class).spec();
    if (link.transfer() == Transfer.GROUPED) {
      FunctionSpec keyExtractor = required(edge, KeyExtractor.class).spec();
      FunctionSpec keyEncoder = required(edge, KeyEncoder.class).spec();
      return new GroupedChannelWriter(
          channel.tag(),
          providers.of(keyExtractor).recordEncoder(keyExtractor, keyEncoder, encoder, context),
          writer);
    }
    return new ChannelWriter(
        channel.tag(), providers.of(encoder).encoder(encoder, context), writer);
  }

  /** Only what a combiner made can be combined further. */
  private Map<Integer, RecordCombiner> combinersOf(Link link) throws Exception {
    RecordCombiners combiners = new RecordCombiners(providers, context);
    for (Channel channel : link.channels()) {
      combiners.add(
          channel.tag(),
          vertex(channel.edge().from())
              .filter(CombinerVertex.class::isInstance)
              .map(StageTask::operatorSpec));
    }
    return combiners.byTag();
  }

  private Map<Integer, RecordCombiner> mergingCombinersOf(Link link) throws Exception {
    RecordCombiners combiners = new RecordCombiners(providers, context);
    for (Channel channel : link.channels()) {
      combiners.add(channel.tag(), vertex(channel.edge().to()).map(StageTask::operatorSpec));
    }
    return combiners.byTag();
  }

  private Optional<IRVertex> vertex(String id) {
    return plan.stage().vertices().stream().filter(vertex -> vertex.id().equals(id)).findFirst();
  }

  private static <P extends EdgeProperty> P required(IREdge edge, Class<P> type) {
    return edge.property(type)
        .orElseThrow(
            () ->
                new IllegalStateException("edge " + edge.id() + " has no " + type.getSimpleName()));
  }

  private ElementOperator elementInput(IREdge edge) {
    Operator operator = operators.get(edge.to());
    if (operator instanceof ElementOperator elementOperator) {
      return elementOperator;
    }
    throw new IllegalStateException(
        "edge "
            + edge.id()
            + " brings single elements to vertex "
            + edge.to()
            + ", which takes groups");
  }

  /**
   * How far the task is, from 0 to 1: the mean of its sources and of the links that are not side
   * inputs. Any thread may ask, at any time.
   */
  public double progress() {
    List<Link> read =
        plan.inputs().stream().filter(link -> link.transfer() != Transfer.BROADCAST).toList();
    double sum = read.stream().mapToDouble(link -> links.progress(link.peer())).sum();
    long parts = parts();
    if (parts > 0) {
      sum += (partsRead + current.map(SourceReader::fraction).orElse(0.0)) / parts;
    }
    int count = read.size() + (parts > 0 ? 1 : 0);
    return count == 0 ? 0 : Math.min(1, sum / count);
  }

  private long parts() {
    return plan.stage().vertices().stream()
        .filter(SourceVertex.class::isInstance)
        .mapToLong(vertex -> ((SourceVertex) vertex).partsOfTask(context.taskIndex()).size())
        .sum();
  }

  private void runSources() throws Exception {
    int read = 0;
    for (IRVertex vertex : plan.stage().vertices()) {
      if (vertex instanceof SourceVertex source) {
        Receiver output =
            outputs(chains.lastOf(source)).getOrDefault(IREdge.MAIN, FanOut.to(List.of()));
        List<Integer> parts = source.partsOfTask(context.taskIndex());
        List<FunctionSpec> filters =
            parts.isEmpty() ? List.of() : SourceFilters.of(source, operators);
        for (int part : parts) {
          SourceReader reader =
              providers
                  .of(source.source())
                  .sourceReader(
                      source,
                      source.parts().get(part).spec(),
                      chains.operatorsOf(source, filters),
                      context);
          current = Optional.of(reader);
          TimedReceiver timed = new TimedReceiver(output, links.clock());
          reader.read(timed);
          timed.end();
          current = Optional.empty();
          read++;
          partsRead = read;
          reader.report().ifPresent(report -> report(source.id(), report));
        }
      }
    }
  }

  private void runRecords() throws Exception {
    for (Link link : plan.inputs()) {
      if (link.transfer() == Transfer.ONE_TO_ONE || link.transfer() == Transfer.SPREAD) {
        Receiver[] receivers = new Receiver[Channel.MAX_TAG + 1];
        ElementDecoder[] decoders = new ElementDecoder[Channel.MAX_TAG + 1];
        for (Channel channel : link.channels()) {
          FunctionSpec decoder = required(channel.edge(), Decoder.class).spec();
          decoders[channel.tag()] = providers.of(decoder).decoder(decoder, context);
          receivers[channel.tag()] = elementInput(channel.edge());
        }
        RecordReader reader = links.reader(link.peer());
        while (reader.next()) {
          int tag = reader.key().read();
          receivers[tag].accept(decoders[tag].decode(reader.value()));
        }
      }
    }
  }

  private void runGroups() throws Exception {
    GroupOperator[] receivers = new GroupOperator[Channel.MAX_TAG + 1];
    List<GroupReader> readers = new ArrayList<>();
    for (Link link : plan.inputs()) {
      if (link.transfer() == Transfer.GROUPED) {
        for (Channel channel : link.channels()) {
          receivers[channel.tag()] = groupInput(channel.edge());
        }
        readers.add(links.groupReader(link.peer(), mergingCombinersOf(link)));
      }
    }
    if (readers.isEmpty()) {
      return;
    }
    GroupReader reader = GroupMerger.merge(readers);
    LinkKeyGroup group =
        new LinkKeyGroup(reader, spillDirectory, context.memoryBudgetBytes() / MEMORY_SHARES);
    while (reader.nextKey()) {
      int tag = group.begin();
      try {
        receivers[tag].acceptGroup(group);
      } finally {
        group.close();
      }
    }
  }

  private GroupOperator groupInput(IREdge edge) {
    Operator operator = operators.get(edge.to());
    if (operator instanceof GroupOperator groupOperator) {
      return groupOperator;
    }
    throw new IllegalStateException(
        "edge "
            + edge.id()
            + " brings groups to vertex "
            + edge.to()
            + ", which takes single elements");
  }

  /**
   * Closes the operators; the first failure is thrown, or added to the one that there was before.
   */
  private void close(Throwable failure) throws Exception {
    if (failure == null) {
      CloseAll.ofAnyKind(operators.values());
    } else {
      CloseAll.after(failure, operators.values());
    }
  }
}
