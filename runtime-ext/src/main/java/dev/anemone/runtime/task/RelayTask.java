// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.IREdge;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import java.io.IOException;
import java.util.Map;

/**
 * One task of the stage of a relay that is not between shuffles: hands on records as bytes, without
 * looking inside. What enters at an input of the relay leaves at the output of the same name. Used
 * once, by one thread.
 */
public final class RelayTask {

  private final StagePlan plan;
  private final TaskLinks links;
  private final ByteSink key = new ByteSink();
  private final ByteSink value = new ByteSink();

  public RelayTask(StagePlan plan, TaskLinks links) {
    this.plan = plan;
    this.links = links;
  }

  /** Runs the task. */
  public void run() throws IOException, InterruptedException {
    RecordWriter[] writers = new RecordWriter[plan.outputs().size()];
    for (int i = 0; i < writers.length; i++) {
      writers[i] = links.writer(plan.outputs().get(i).peer(), Map.of());
    }
    for (Link input : plan.inputs()) {
      relayRecords(input, writers);
    }
  }

  private void relayRecords(Link input, RecordWriter[] writers)
      throws IOException, InterruptedException {
    RecordReader reader = links.reader(input.peer());
    while (reader.next()) {
      write(input, reader.key(), reader.value(), writers);
    }
  }

  private void write(Link input, ByteSlice inKey, ByteSlice inValue, RecordWriter[] writers)
      throws IOException {
    int inTag = inKey.array()[inKey.start()] & 0xff;
    value.reset();
    value.write(inValue.array(), inValue.start(), inValue.length());
    for (int i = 0; i < writers.length; i++) {
      for (Channel out : plan.outputs().get(i).channels()) {
        if (comesFrom(input, inTag, out.edge())) {
          key.reset();
          key.write(out.tag());
          key.write(inKey.array(), inKey.start() + 1, inKey.length() - 1);
          writers[i].write(key, value);
        }
      }
    }
  }

  private static boolean comesFrom(Link input, int inTag, IREdge out) {
    for (Channel in : input.channels()) {
      if (in.tag() == inTag && in.edge().input().equals(out.output())) {
        return true;
      }
    }
    return false;
  }
}
