// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.SizedReceiver;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The side inputs of a task. They are handed straight from the broadcast links to the operators,
 * who keep what they need; a link is read for each that is asked for, and what is for others is
 * passed over. Used by one thread.
 */
final class SideInputs {

  private final StagePlan plan;
  private final FunctionProviders providers;
  private final TaskContext context;
  private final TaskLinks links;

  public SideInputs(
      StagePlan plan, FunctionProviders providers, TaskContext context, TaskLinks links) {
    this.plan = plan;
    this.providers = providers;
    this.context = context;
    this.links = links;
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

    void read(String name, SizedReceiver receiver) throws Exception {
      Map<Link, List<Channel>> channels = byName.get(name);
      if (channels == null) {
        throw new IllegalArgumentException("no side input " + name + ", there are " + names());
      }
      for (Map.Entry<Link, List<Channel>> entry : channels.entrySet()) {
        SideInputs.this.read(entry.getKey(), entry.getValue(), receiver);
      }
    }
  }

  private void read(Link link, List<Channel> channels, SizedReceiver receiver) throws Exception {
    ElementDecoder[] decoders = new ElementDecoder[Channel.MAX_TAG + 1];
    for (Channel channel : channels) {
      FunctionSpec spec = channel.edge().property(Decoder.class).orElseThrow().spec();
      decoders[channel.tag()] = providers.of(spec).decoder(spec, context);
    }
    RecordReader reader = links.reader(link.peer());
    while (reader.next()) {
      ElementDecoder decoder = decoders[reader.key().read()];
      if (decoder != null) {
        ByteSlice value = reader.value();
        receiver.accept(decoder.decode(value), value.length());
      }
    }
  }
}
