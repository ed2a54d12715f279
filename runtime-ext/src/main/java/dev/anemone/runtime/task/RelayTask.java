// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
      relayRecords(input, targets(input, writers));
    }
  }

  /** Where a record goes on: a channel's tag, and the writer of its link. */
  private record Target(int tag, RecordWriter writer) {}

  /** The targets of an input's records, by their tags. */
  private Target[][] targets(Link input, RecordWriter[] writers) {
    Target[][] targets = new Target[Channel.MAX_TAG + 1][];
    for (Channel in : input.channels()) {
      List<Target> found = new ArrayList<>();
      for (int i = 0; i < writers.length; i++) {
        for (Channel out : plan.outputs().get(i).channels()) {
          if (in.edge().input().equals(out.edge().output())) {
            found.add(new Target(out.tag(), writers[i]));
          }
        }
      }
      targets[in.tag()] = found.toArray(new Target[0]);
    }
    return targets;
  }

  private void relayRecords(Link input, Target[][] targets)
      throws IOException, InterruptedException {
    RecordReader reader = links.reader(input.peer());
    while (reader.next()) {
      ByteSlice inKey = reader.key();
      ByteSlice inValue = reader.value();
      value.reset();
      value.write(inValue.array(), inValue.start(), inValue.length());
      for (Target target : targets[inKey.array()[inKey.start()] & 0xff]) {
        key.reset();
        key.write(target.tag());
        key.write(inKey.array(), inKey.start() + 1, inKey.length() - 1);
        target.writer().write(key, value);
      }
    }
  }
}
