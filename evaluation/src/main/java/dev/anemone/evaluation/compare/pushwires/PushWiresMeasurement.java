// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run push-wires}: how fast tasks push over Netty and over the transports. */
@Command(name = "push-wires")
public final class PushWiresMeasurement extends ExperimentCommand {
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 1 << 30;

  /** Until pages are made and registered, and compiled code has taken over. */
  private static final int WARM_UPS = 3;

  private static final int MORE_MEGABYTES = 128;
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What a task pushes: bytes, or such as 10m.")
  private ByteSize bytes = ByteSize.of("128m");

  @Option(
      names = "--wires",
      split = ",",
      defaultValue = "netty,tcp,ucx",
      paramLabel = "NAME,...",
      description = "What it pushes over.")
  private List<String> wires;

  @Mixin private Runs runs = new Runs(7);

  private final List<String> notMeasured = new ArrayList<>();

  record Figures(long bytes, List<String> notMeasured, List<Wire> wires) {}

  record Wire(String name, List<Task> tasks) {}

  /** What one task took, sender and receiver together, and the batches that it pushed. */
  record Task(long wallNanos, long processorNanos, long batches) {}

  @Override
  protected void check() {
    require(
        "--bytes",
        bytes,
        bytes.bytes() >= LEAST_BYTES && bytes.bytes() <= MOST_BYTES,
        "give from 1048576 to 1g");
    require(
        "--wires",
        wires,
        InstalledWires.names().containsAll(wires),
        "there are " + InstalledWires.names());
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Map<String, LineProcess> processes = new HashMap<>();
    List<Wire> measured = new ArrayList<>();
    try {
      for (String wire : wires) {
        if (works(wire)) {
          processes.put(wire, start(wire));
          measured.add(new Wire(wire, new ArrayList<>()));
        }
      }
      for (int run = -WARM_UPS; run < runs.count(); run++) {
        for (Wire wire : measured) {
          Task task = push(processes.get(wire.name()));
          if (run >= 0) {
            wire.tasks().add(task);
          }
        }
      }
    } finally {
      processes.values().forEach(LineProcess::close);
    }
    Figures figures = new Figures(bytes.bytes(), notMeasured, measured);
    publish(
        figures,
        text(
            "One task pushes %,d bytes to a receiver in the same JVM, medians of %d runs",
            bytes.bytes(), runs.count()),
        notMeasured(notMeasured),
        table(figures));
    return true;
  }

  private boolean works(String wire) {
    try (PushWires opened =
        InstalledWires.open(wire, new PagePool(PagePool.PAGE_BYTES), JobSecret.random())) {
      return true;
    } catch (TransportUnavailableException e) {
      notMeasured.add(wire + ": " + e.getMessage());
      return false;
    }
  }

  private LineProcess start(String wire) throws IOException {
    long megabytes = (bytes.bytes() >> 20) * 5 / 4 + MORE_MEGABYTES;
    return LineProcess.start(
        JavaProgram.of(
                PushProgram.class,
                evaluation().ownClassPath(),
                NemoJvm.options("256m"),
                wire,
                bytes.bytes())
            .withJvmOptions("-XX:MaxDirectMemorySize=" + megabytes + "m"),
        directory().resolve(wire + ".log"));
  }

  private static Task push(LineProcess process) throws IOException, InterruptedException {
    process.say("push");
    List<Long> numbers =
        process.await(PushProgram.PUSHED, DEADLINE).stream().map(Long::valueOf).toList();
    return new Task(numbers.get(0), numbers.get(1), numbers.get(2));
  }

  private static MarkdownTable table(Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "wire; runs; MB/s|%.0f; least|%.0f; most|%.0f; CPU s / GB|%.2f; "
                + "MB/s of first|%.2f");
    double first = 0;
    for (Wire wire : figures.wires()) {
      Summary nanos = Summary.of(wire.tasks(), Task::wallNanos);
      // Bytes per microsecond are MB/s.
      double thousandfold = figures.bytes() * 1e3;
      double rate = thousandfold / nanos.median();
      first = first == 0 ? rate : first;
      table.row(
          wire.name(),
          wire.tasks().size(),
          rate,
          thousandfold / nanos.max(),
          thousandfold / nanos.min(),
          Summary.of(wire.tasks(), Task::processorNanos).median() / figures.bytes(),
          rate / first);
    }
    return table;
  }
}
