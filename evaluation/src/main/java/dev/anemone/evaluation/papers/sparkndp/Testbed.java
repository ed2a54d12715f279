// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.neardata.NearDataSides;
import dev.anemone.evaluation.lab.neardata.NearDataSides.Condition;
import dev.anemone.evaluation.lab.neardata.NearDataSides.Measured;
import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.evaluation.lab.process.ProcessorQuota;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The paper's testbed made small. What stands for two of its storage nodes is a process, whose
 * cores are parts of this machine's processors: less than that, and a JVM's own work would be most
 * of it. All have one link, which is a little faster than their filters with one core a node, as
 * the paper's is. What computes is more than the link can bring work for, here as there, but not 70
 * cores beside 4 to 16. Used by one thread.
 */
final class Testbed implements AutoCloseable {
  /** Nodes in the larger one of the paper's settings. */
  static final int NODES = 4;

  /** Of the paper's nodes, for which one process stands with all their cores. */
  static final int NODES_IN_A_PROCESS = 2;

  /** What of this machine computes. */
  private static final double COMPUTE_PROCESSORS = 1;

  /** Of all nodes of the paper together they are one processor. */
  private static final double CORE = 1.0 / 16;

  /** The paper's link beside what its filters get done with a core a node, as derived from it. */
  private static final double LINK_TO_FILTER = 1.16;

  private static final double UNLIMITED_MEGABITS = 40_000;
  private static final int FILTERED_QUERY = 6;
  private static final int SLOTS = 8;
  private static final String HEAP = "1g";

  /** The better compiler would take a third of a weak node's time, for minutes. */
  private static final List<String> COMPILED_ONCE = List.of("-XX:TieredStopAtLevel=1");

  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final NearDataSides sides;

  /** Of each process of storage nodes. */
  private final List<ProcessorQuota> storage;

  private final ProcessorQuota compute;
  private final long bytes;
  private double linkMegabits;

  private Testbed(
      NearDataSides sides, List<ProcessorQuota> storage, ProcessorQuota compute, long bytes) {
    this.sides = sides;
    this.storage = storage;
    this.compute = compute;
    this.bytes = bytes;
  }

  /**
   * How large it is.
   *
   * @param scale of TPC-H; the paper has 100
   * @param blockBytes of a split; the paper has 256 MB
   * @param cores of a storage node, one after the other
   * @param rounds in which all is run
   */
  record Size(double scale, long blockBytes, List<Integer> cores, int rounds) {
    static final Size SMALL = new Size(0.1, 4 << 20, List.of(1, 2, 4), 3);
    static final Size FULL = new Size(3, 64 << 20, List.of(1, 2, 4), 5);

    static Size of(FigureRun run) {
      return run.isFull() ? FULL : SMALL;
    }
  }

  /**
   * A part of the paper's hardware.
   *
   * @param cores of each storage node
   * @param clock of their processors, as a part of the full one
   * @param link as a part of that of four nodes
   */
  record Hardware(int cores, double clock, double link) {}

  /**
   * Starts it, warms it up, and finds out how fast the link has to be.
   *
   * @param name of the directory with its logs
   * @param nodes of the paper, a multiple of {@link #NODES_IN_A_PROCESS}
   * @param queries that will be run
   */
  static Testbed start(FigureRun run, String name, Size size, int nodes, List<Integer> queries)
      throws IOException, InterruptedException {
    NearDataSides.requireAllowed();
    Path tables = TpchOptions.directory(run.evaluation(), size.scale(), TpchSkew.NONE);
    TpchDataSet data = TpchDataSet.open(tables, size.scale(), TpchSkew.NONE);
    NearDataSides.SetUp setUp =
        new NearDataSides.SetUp(
            Files.createDirectories(run.directory().resolve(name)),
            tables,
            size.scale(),
            queries,
            size.blockBytes(),
            SLOTS,
            DEADLINE);
    List<ProcessorQuota> storage = new ArrayList<>();
    for (int node = 0; node < nodes; node += NODES_IN_A_PROCESS) {
      storage.add(ProcessorQuota.start());
    }
    ProcessorQuota compute = ProcessorQuota.start();
    NearDataSides sides =
        NearDataSides.start(
            setUp,
            new NearDataSides.Programs(
                run.evaluation().ownClassPath(),
                NemoJvm.options(HEAP),
                COMPILED_ONCE,
                List.of(),
                UnaryOperator.identity(),
                storage.stream().<UnaryOperator<List<String>>>map(quota -> quota::command).toList(),
                compute::command));
    Testbed testbed = new Testbed(sides, storage, compute, data.bytes(TpchTable.LINEITEM));
    try {
      testbed.prepare(queries);
      run.progress(
          String.format(
              Locale.ROOT,
              "filters with a core a node get %.1f MB/s done, the link has %.0f Mbit/s",
              testbed.linkMegabits / LINK_TO_FILTER / 8,
              testbed.linkMegabits));
      return testbed;
    } catch (IOException | InterruptedException | RuntimeException e) {
      testbed.close();
      throw e;
    }
  }

  private void prepare(List<Integer> queries) throws IOException, InterruptedException {
    sides.warmUp(queries, 1);
    compute.set(COMPUTE_PROCESSORS);
    Condition filters = condition(1, UNLIMITED_MEGABITS, List.of(FILTERED_QUERY), Duration.ZERO);
    sides.prepare(filters);
    allowStorage(CORE * NODES / storage.size());
    double seconds = sides.run(filters, Pushdown.FILTER).seconds();
    linkMegabits = LINK_TO_FILTER * bytes / seconds * 8 / 1e6;
  }

  /** The rate of a link, millions of bits per second. */
  double megabits(double link) {
    return link * linkMegabits;
  }

  /** How long a link needs for all that a query reads of the largest table. */
  Duration shipping(double link) {
    return Duration.ofMillis(Math.round(bytes * 8 / 1e3 / megabits(link)));
  }

  /**
   * Runs queries.
   *
   * @param gap from the beginning of one to that of the next
   */
  Measured run(Hardware hardware, List<Integer> queries, Duration gap, Pushdown pushdown)
      throws IOException, InterruptedException {
    Condition condition = condition(hardware.cores(), megabits(hardware.link()), queries, gap);
    liftStorage();
    sides.prepare(condition);
    allowStorage(CORE * NODES_IN_A_PROCESS * hardware.cores() * hardware.clock());
    return sides.run(condition, pushdown);
  }

  private static Condition condition(
      int cores, double megabits, List<Integer> queries, Duration gap) {
    return new Condition(megabits, cores * NODES_IN_A_PROCESS, queries, gap);
  }

  /** Sets what each process of storage nodes gets of this machine's processors. */
  private void allowStorage(double processors) throws IOException {
    for (ProcessorQuota node : storage) {
      node.set(processors);
    }
  }

  private void liftStorage() throws IOException {
    for (ProcessorQuota node : storage) {
      node.lift();
    }
  }

  @Override
  public void close() throws IOException {
    try (compute;
        sides) {
      liftStorage();
    }
    for (ProcessorQuota node : storage) {
      node.close();
    }
  }
}
