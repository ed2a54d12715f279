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
import java.util.List;

/**
 * The paper's testbed made small: storage nodes have some cores each, parts of this machine's
 * processors, and one link, which is a little faster than their filters with one core a node, as
 * the paper's is. What computes is more than the link can bring work for, here as there, but not 70
 * cores beside 4 to 16. Used by one thread.
 */
final class Testbed implements AutoCloseable {
  /** Nodes in the larger one of the paper's settings. */
  static final int NODES = 4;

  /** What of this machine computes. */
  private static final double COMPUTE_PROCESSORS = 1;

  /** Of all nodes of the paper together they are one processor. */
  private static final double CORE = 1.0 / 16;

  /** The paper's link beside what its filters get done with a core a node, as derived from it. */
  private static final double LINK_TO_FILTER = 1.16;

  private static final double UNLIMITED_MEGABITS = 40_000;
  private static final int FILTERED_QUERY = 6;
  private static final int SLOTS = 4;
  private static final String HEAP = "1g";
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final NearDataSides sides;
  private final ProcessorQuota storage;
  private final ProcessorQuota compute;
  private final int nodes;
  private final long bytes;
  private double linkMegabits;

  private Testbed(
      NearDataSides sides, ProcessorQuota storage, ProcessorQuota compute, int nodes, long bytes) {
    this.sides = sides;
    this.storage = storage;
    this.compute = compute;
    this.nodes = nodes;
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
    static final Size SMALL = new Size(0.2, 8 << 20, List.of(1, 2, 4), 3);
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
            nodes,
            size.blockBytes(),
            SLOTS,
            DEADLINE);
    ProcessorQuota storage = ProcessorQuota.start();
    ProcessorQuota compute = ProcessorQuota.start();
    NearDataSides sides =
        NearDataSides.start(
            setUp,
            new NearDataSides.Programs(
                run.evaluation().ownClassPath(),
                NemoJvm.options(HEAP),
                List.of(),
                storage::command,
                compute::command));
    Testbed testbed = new Testbed(sides, storage, compute, nodes, data.bytes(TpchTable.LINEITEM));
    try {
      testbed.prepare(queries);
      return testbed;
    } catch (IOException | InterruptedException | RuntimeException e) {
      testbed.close();
      throw e;
    }
  }

  private void prepare(List<Integer> queries) throws IOException, InterruptedException {
    sides.warmUp(queries, 1);
    compute.set(COMPUTE_PROCESSORS);
    Condition filters =
        new Condition(UNLIMITED_MEGABITS, 1, List.of(FILTERED_QUERY), Duration.ZERO);
    sides.prepare(filters);
    storage.set(CORE * NODES);
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
    Condition condition = new Condition(megabits(hardware.link()), hardware.cores(), queries, gap);
    storage.lift();
    sides.prepare(condition);
    storage.set(CORE * nodes * hardware.cores() * hardware.clock());
    return sides.run(condition, pushdown);
  }

  @Override
  public void close() throws IOException {
    try (storage;
        compute;
        sides) {
      storage.lift();
    }
  }
}
