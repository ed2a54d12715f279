// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.wires.InstalledWires;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets a task push over each wire in turn, in a JVM for each. */
final class PushWiresExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  /** Until pages are made and registered, and compiled code has taken over. */
  private static final int WARM_UPS = 3;

  private static final int MORE_MEGABYTES = 128;

  private final PushWiresPlan plan;
  private final PrintWriter out;
  private final List<String> notMeasured = new ArrayList<>();

  /**
   * @param out for the table
   */
  PushWiresExperiment(PushWiresPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /**
   * Measures, prints the table, and writes the raw figures.
   *
   * @throws dev.anemone.evaluation.lab.ExperimentFailure if not all bytes could be pushed in time
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  PushWiresFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    Map<String, LineProcess> processes = new LinkedHashMap<>();
    Map<String, List<PushWiresFigures.Task>> tasks = new LinkedHashMap<>();
    try {
      for (String wire : plan.wires()) {
        if (works(wire)) {
          processes.put(wire, start(wire));
          tasks.put(wire, new ArrayList<>());
        }
      }
      for (int run = -WARM_UPS; run < plan.runs(); run++) {
        for (Map.Entry<String, LineProcess> process : processes.entrySet()) {
          PushWiresFigures.Task task = push(process.getValue());
          if (run >= 0) {
            tasks.get(process.getKey()).add(task);
          }
        }
      }
    } finally {
      processes.values().forEach(LineProcess::close);
    }
    PushWiresFigures figures =
        new PushWiresFigures(
            started,
            Machine.current(),
            load,
            plan.bytes(),
            notMeasured,
            tasks.entrySet().stream()
                .map(entry -> new PushWiresFigures.Wire(entry.getKey(), entry.getValue()))
                .toList());
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private boolean works(String wire) {
    try (PushWires opened = InstalledWires.open(wire, new PagePool(PagePool.PAGE_BYTES))) {
      return true;
    } catch (TransportUnavailableException e) {
      notMeasured.add(wire + ": " + e.getMessage());
      return false;
    }
  }

  private LineProcess start(String wire) throws IOException {
    List<String> options = new ArrayList<>(NemoJvm.options());
    options.add("-Xmx256m");
    options.add("-XX:MaxDirectMemorySize=" + ((plan.bytes() >> 20) * 5 / 4 + MORE_MEGABYTES) + "m");
    return LineProcess.start(
        new JavaProgram(
                PushProgram.class.getName(),
                plan.classPath(),
                options,
                List.of(wire, Long.toString(plan.bytes())))
            .command(),
        Map.of(),
        plan.directory().resolve(wire + ".log"));
  }

  private PushWiresFigures.Task push(LineProcess process) throws IOException, InterruptedException {
    process.say("push");
    List<String> words = List.of(process.await(PushProgram.PUSHED, plan.deadline()).split(" ", -1));
    return new PushWiresFigures.Task(
        Long.parseLong(words.get(0)), Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
  }

  private void print(PushWiresFigures figures, Path file) {
    MarkdownTable table =
        new MarkdownTable("wire", "runs", "MB/s", "least", "most", "CPU s / GB", "MB/s of first");
    double first = 0;
    for (PushWiresFigures.Wire wire : figures.wires()) {
      Summary seconds = wire.seconds();
      double rate = figures.bytes() / 1e6 / seconds.median();
      first = first == 0 ? rate : first;
      table.row(
          wire.name(),
          Integer.toString(wire.tasks().size()),
          number("%.0f", rate),
          number("%.0f", figures.bytes() / 1e6 / seconds.max()),
          number("%.0f", figures.bytes() / 1e6 / seconds.min()),
          number("%.2f", wire.processorSeconds().median() * 1e9 / figures.bytes()),
          number("%.2f", rate / first));
    }
    out.printf(
        Locale.ROOT,
        "One task pushes %,d bytes to a receiver in the same JVM, medians of %d runs%n"
            + "%s; load %.1f; started %s%n",
        figures.bytes(),
        plan.runs(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started());
    figures.notMeasured().forEach(why -> out.println("Not measured: " + why));
    out.printf("%n%s%nRaw figures: %s%n", table, file);
    out.flush();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
