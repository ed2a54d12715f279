package dev.anemone.runtime.task;

import dev.anemone.ir.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.spi.ValueCursor;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The side inputs of a task. A broadcast link is read once, when an operator first asks for one of
 * its channels, and kept as bytes, beyond the memory limit on disk. Used by one thread.
 */
final class SideInputs implements Closeable {

  private final StagePlan plan;
  private final FunctionProviders providers;
  private final TaskContext context;
  private final TaskLinks links;
  private final Path spillDirectory;
  private final long memoryBytes;
  private final Map<String, Map<Integer, ValueLog>> logs = new HashMap<>();

  SideInputs(
      StagePlan plan,
      FunctionProviders providers,
      TaskContext context,
      TaskLinks links,
      Path spillDirectory,
      long memoryBytes) {
    this.plan = plan;
    this.providers = providers;
    this.context = context;
    this.links = links;
    this.spillDirectory = spillDirectory;
    long channels =
        plan.inputs().stream()
            .filter(link -> link.transfer() == Transfer.BROADCAST)
            .mapToLong(link -> link.channels().size())
            .sum();
    this.memoryBytes = memoryBytes / Math.max(1, channels);
  }

  /** The side inputs of one vertex. */
  OfVertex of(String vertexId) {
    Map<String, Map<Link, List<Channel>>> byName = new LinkedHashMap<>();
    for (Link link : plan.inputs()) {
      if (link.transfer() == Transfer.BROADCAST) {
        for (Channel channel : link.channels()) {
          if (channel.edge().to().equals(vertexId)) {
            byName
                .computeIfAbsent(channel.edge().input(), k -> new LinkedHashMap<>())
                .merge(
                    link,
                    List.of(channel),
                    (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
          }
        }
      }
    }
    return new OfVertex(byName);
  }

  /** What an operator sees. */
  final class OfVertex {

    private final Map<String, Map<Link, List<Channel>>> byName;

    private OfVertex(Map<String, Map<Link, List<Channel>>> byName) {
      this.byName = byName;
    }

    Set<String> names() {
      return byName.keySet();
    }

    void read(String name, Receiver receiver) throws Exception {
      Map<Link, List<Channel>> channels = byName.get(name);
      if (channels == null) {
        throw new IllegalArgumentException("no side input " + name + ", there are " + names());
      }
      for (Map.Entry<Link, List<Channel>> entry : channels.entrySet()) {
        for (Channel channel : entry.getValue()) {
          FunctionSpec spec = channel.edge().property(Decoder.class).orElseThrow().spec();
          ElementDecoder decoder = providers.of(spec).decoder(spec, context);
          ValueCursor cursor = log(entry.getKey(), channel).cursor();
          while (cursor.next()) {
            receiver.accept(decoder.decode(cursor.value()));
          }
        }
      }
    }
  }

  private ValueLog log(Link link, Channel channel) throws IOException, InterruptedException {
    Map<Integer, ValueLog> byTag = logs.get(link.peer());
    if (byTag == null) {
      byTag = new HashMap<>();
      logs.put(link.peer(), byTag);
      for (Channel each : link.channels()) {
        byTag.put(each.tag(), new ValueLog(spillDirectory, memoryBytes));
      }
      RecordReader reader = links.reader(link.peer());
      while (reader.next()) {
        byTag.get(reader.key().read()).add(reader.value());
      }
    }
    return byTag.get(channel.tag());
  }

  @Override
  public void close() throws IOException {
    for (Map<Integer, ValueLog> byTag : logs.values()) {
      for (ValueLog log : byTag.values()) {
        log.close();
      }
    }
  }
}
