// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import dev.anemone.evaluation.model.kernel.TezTask.TezSetup;
import dev.anemone.runtime.resource.FileTrees;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.OutputContext;
import org.apache.tez.runtime.api.events.CompositeDataMovementEvent;
import org.apache.tez.runtime.library.api.KeyValuesReader;
import org.apache.tez.runtime.library.api.KeyValuesWriter;
import org.apache.tez.runtime.library.input.OrderedGroupedKVInput;
import org.apache.tez.runtime.library.output.OrderedPartitionedKVOutput;

/** Tez's own sorted output and grouped input, driven without the rest of Tez. */
final class TezKernel implements ShuffleKernel {
  @Override
  public KernelCheck shuffle(KernelShape shape) throws Exception {
    TezSetup setup = TezSetup.of(shape);
    try {
      CompositeDataMovementEvent written = write(shape, setup);
      KernelCheck check = new KernelCheck();
      for (int partition = 0; partition < shape.partitions(); partition++) {
        read(setup, written, partition, check);
      }
      return check;
    } finally {
      FileTrees.delete(shape.directory());
      Files.createDirectories(shape.directory());
    }
  }

  private static CompositeDataMovementEvent write(KernelShape shape, TezSetup setup)
      throws Exception {
    TezTask task = new TezTask(setup, TezTask.WRITER);
    OrderedPartitionedKVOutput output =
        new OrderedPartitionedKVOutput(task.as(OutputContext.class), shape.partitions());
    output.initialize();
    output.start();
    KeyValuesWriter writer = output.getWriter();
    KernelRecords records = new KernelRecords();
    BytesWritable key = new BytesWritable(records.key());
    BytesWritable value = new BytesWritable(records.value());
    for (long record = 0; record < shape.records(); record++) {
      records.next();
      writer.write(key, value);
    }
    List<Event> events = output.close();
    task.requireHealthy();
    return events.stream()
        .filter(CompositeDataMovementEvent.class::isInstance)
        .map(CompositeDataMovementEvent.class::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Tez's output announces no data: " + events));
  }

  private static void read(
      TezSetup setup, CompositeDataMovementEvent written, int partition, KernelCheck check)
      throws Exception {
    TezTask task = new TezTask(setup, TezTask.READER);
    OrderedGroupedKVInput input = new OrderedGroupedKVInput(task.as(InputContext.class), 1);
    input.initialize();
    input.start();
    input.handleEvents(List.of(written.expand(partition, 0)));
    KeyValuesReader reader = input.getReader();
    check.startPartition();
    while (reader.next()) {
      BytesWritable key = (BytesWritable) reader.getCurrentKey();
      for (Object current : reader.getCurrentValues()) {
        BytesWritable value = (BytesWritable) current;
        check.inOrder(key.getBytes(), 0, key.getLength(), value.getBytes(), 0, value.getLength());
      }
    }
    input.close();
    task.requireHealthy();
  }
}
