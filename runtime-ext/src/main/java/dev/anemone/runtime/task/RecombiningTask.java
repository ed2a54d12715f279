// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupMerger;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One task of a stage that combines accumulators again: reads its share of the partitions that were
 * too large for a consumer task, and writes for each key what its accumulators come to. It never
 * decodes a record; what cannot be combined as bytes is handed on as it is, which its consumer does
 * not mind. Used once, by one thread.
 */
public final class RecombiningTask {

  private final StagePlan plan;
  private final FunctionProviders providers;
  private final TaskContext context;
  private final TaskLinks links;

  public RecombiningTask(
      StagePlan plan, FunctionProviders providers, TaskContext context, TaskLinks links) {
    this.plan = plan;
    this.providers = providers;
    this.context = context;
    this.links = links;
  }

  /**
   * Runs the task.
   *
   * @throws Exception when the combiner or a link failed
   */
  public void run() throws Exception {
    List<GroupReader> readers = new ArrayList<>();
    for (Link link : plan.inputs()) {
      readers.add(links.groupReader(link.peer(), combiners(link)));
    }
    Link output = plan.outputs().get(0);
    RecordWriter writer = links.writer(output.peer(), combiners(output));
    GroupReader groups = GroupMerger.merge(readers);
    ByteSink key = new ByteSink();
    ByteSink value = new ByteSink();
    while (groups.nextKey()) {
      set(key, groups.key());
      while (groups.nextValue()) {
        set(value, groups.value());
        writer.write(key, value);
      }
    }
  }

  private static void set(ByteSink sink, ByteSlice bytes) {
    sink.reset();
    sink.write(bytes.array(), bytes.start(), bytes.length());
  }

  private Map<Integer, RecordCombiner> combiners(Link link) throws Exception {
    CombinerVertex combiner = (CombinerVertex) plan.stage().vertices().get(0);
    RecordCombiners combiners = new RecordCombiners(providers, context);
    for (Channel channel : link.channels()) {
      combiners.add(channel.tag(), Optional.of(combiner.operator()));
    }
    return combiners.byTag();
  }
}
