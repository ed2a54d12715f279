// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.table.RecordTables;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A link between two stages, and what their tasks need to write and read it. */
public record TestLinks(StagePlan producer, StagePlan consumer, Link link, DataPlane plane) {

  private static final int POOL_PAGES = 64;

  public static TestLinks of(
      Transfer transfer,
      int partitions,
      List<List<HashRange>> perTask,
      List<PartitionDivision> divisions,
      Path directory) {
    List<StagePlan> plans =
        new StagePlanner(
                StagePartitioner.partition(
                    new TestDags()
                        .source("read", "a=1")
                        .operator("sum", TestFunctions.SUM, 1)
                        .grouped("read", "sum", 1)
                        .build()),
                List.of())
            .plan(new StagePlan.Job("job", new byte[0], directory.toUri().toString()));
    StagePlan consumer =
        plans.stream().filter(plan -> !plan.inputs().isEmpty()).findFirst().orElseThrow();
    StagePlan producer =
        plans.stream().filter(plan -> !plan.outputs().isEmpty()).findFirst().orElseThrow();
    Link planned = consumer.inputs().get(0);
    Link link =
        new Link(
            planned.peer(),
            transfer,
            planned.channels(),
            partitions,
            perTask,
            false,
            divisions,
            false,
            Optional.empty());
    DataPlane plane =
        new DataPlane(
            MemoryLedger.ofOneJob(
                new PagePool((long) POOL_PAGES * PagePool.PAGE_BYTES),
                (long) POOL_PAGES * PagePool.PAGE_BYTES),
            new TaskBudget(
                (long) POOL_PAGES * PagePool.PAGE_BYTES,
                (long) POOL_PAGES * PagePool.PAGE_BYTES,
                RecordTables.LEAST_BYTES),
            Map.of(DataStore.LOCAL_FILE, new LocalFileStore(directory)),
            InetAddress.getLoopbackAddress(),
            InstalledWires.netty(JobSecret.random()),
            Optional.empty());
    return new TestLinks(producer, consumer.withInputs(List.of(link)), link, plane);
  }

  /** An attempt of a consumer task. */
  public TaskAttempt reading(int task) {
    return new TaskAttempt(consumer, task, 0, false);
  }

  /** An attempt of a producer task. */
  public TaskAttempt writing(int task) {
    return new TaskAttempt(producer, task, 0, false);
  }

  public TaskMemory memory(int pages) {
    return new TaskMemory(plane.memory().pool(), (long) pages * PagePool.PAGE_BYTES);
  }
}
