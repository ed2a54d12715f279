// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.ndp.client.ClientOptions;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;

/** A proxy with one core and DuckDB with one thread filter the same file, in turn. */
final class ScanExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final String FILE = "/lineitem.tbl";
  private static final long BLOCK_BYTES = 128L << 20;
  private static final long MEMORY = 1L << 30;
  private static final int CONNECTIONS = 16;
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ScanPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param out for the table
   * @param err for the progress
   */
  ScanExperiment(ScanPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  /**
   * Measures, prints the table and writes the raw figures.
   *
   * @throws ExperimentFailure if both sides find different numbers of rows
   * @throws IOException if a file cannot be read or written, or the proxy fails
   */
  ScanFigures run() throws IOException, SQLException {
    TpchDataSet.open(plan.data(), plan.scale());
    Path work = plan.directory().resolve("work");
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("plans"));
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    try {
      Path file = oneFile(work.resolve("lineitem.tbl"));
      try (MiniHdfs hdfs = MiniHdfs.start(work.resolve("hdfs"), 1, BLOCK_BYTES, Map.of())) {
        hdfs.files()
            .copyFromLocalFile(
                new org.apache.hadoop.fs.Path(file.toUri()), new org.apache.hadoop.fs.Path(FILE));
        try (NdpProxy proxy = proxy(hdfs, work.resolve("plans"), Files.size(file))) {
          ScanFigures figures = measure(hdfs, proxy, file, started, load);
          FiguresFile.write(plan.directory().resolve(FIGURES_FILE), figures);
          print(figures);
          return figures;
        }
      }
    } finally {
      DirectoryTree.delete(work);
    }
  }

  private Path oneFile(Path target) throws IOException {
    try (Stream<Path> parts = Files.list(plan.data());
        OutputStream all = Files.newOutputStream(target)) {
      for (Path part :
          parts
              .filter(path -> path.getFileName().toString().startsWith("lineitem.tbl"))
              .sorted()
              .toList()) {
        Files.copy(part, all);
      }
    }
    return target;
  }

  private static NdpProxy proxy(MiniHdfs hdfs, Path work, long fileBytes) throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            hdfs.dataNodes().get(0),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ProxyOptions.Limits(1, MEMORY, 1, CONNECTIONS, fileBytes, DEADLINE, PATIENCE),
            work,
            Optional.empty()));
  }

  private ScanFigures measure(MiniHdfs hdfs, NdpProxy proxy, Path file, String started, double load)
      throws IOException, SQLException {
    long rows = throughProxy(hdfs, proxy);
    requireSame(rows, byDuckDb(file));
    List<Double> proxySeconds = new ArrayList<>();
    List<Double> duckDbSeconds = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      long start = System.nanoTime();
      requireSame(rows, throughProxy(hdfs, proxy));
      proxySeconds.add((System.nanoTime() - start) / 1e9);
      start = System.nanoTime();
      requireSame(rows, byDuckDb(file));
      duckDbSeconds.add((System.nanoTime() - start) / 1e9);
      err.printf(
          Locale.ROOT,
          "round %d: proxy %.2f s, DuckDB %.2f s%n",
          round,
          proxySeconds.get(round - 1),
          duckDbSeconds.get(round - 1));
      err.flush();
    }
    return new ScanFigures(
        started, Machine.current(), load, Files.size(file), rows, proxySeconds, duckDbSeconds);
  }

  private static long throughProxy(MiniHdfs hdfs, NdpProxy proxy) throws IOException {
    RemoteFile file =
        RemoteFile.of(FILE, hdfs.files().getUri().getAuthority(), System.getProperty("user.name"));
    long rows = 0;
    try (RootAllocator allocator = new RootAllocator();
        ProxyAnswer answer =
            new NdpClient(ClientOptions.defaults())
                .run(proxy.address(), file, ScanQuery.request(), allocator)) {
      while (answer.loadNextBatch()) {
        rows += answer.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }

  private static long byDuckDb(Path file) throws SQLException {
    Properties streaming = new Properties();
    streaming.setProperty("jdbc_stream_results", "true");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:", streaming);
        Statement statement = database.createStatement()) {
      statement.execute("SET threads = 1");
      // As the engine of a proxy has it.
      statement.execute("SET preserve_insertion_order = false");
      long rows = 0;
      try (ResultSet result = statement.executeQuery(ScanQuery.sql(file))) {
        while (result.next()) {
          rows++;
        }
      }
      return rows;
    }
  }

  private static void requireSame(long expected, long found) {
    if (expected != found) {
      throw new ExperimentFailure(
          "The filter kept " + found + " rows, but " + expected + " before, so one is wrong.");
    }
  }

  private void print(ScanFigures figures) {
    MarkdownTable table = new MarkdownTable("side", "rounds", "median s", "min s", "max s", "MB/s");
    row(table, "proxy, 1 core", figures.proxySeconds(), figures.fileBytes());
    row(table, "DuckDB, 1 thread", figures.duckDbSeconds(), figures.fileBytes());
    out.printf(
        Locale.ROOT,
        "A filter of %.1f MB of text with 16 columns that keeps %d rows; load %.1f%n%s; started"
            + " %s%n%n%s%nThe proxy has %.2f of DuckDB's rate.%nRaw figures: %s%n",
        figures.fileBytes() / 1e6,
        figures.rows(),
        figures.load(),
        figures.machine().describe(),
        figures.started(),
        table,
        figures.ratio(),
        plan.directory().resolve(FIGURES_FILE));
    out.flush();
  }

  private static void row(MarkdownTable table, String name, List<Double> seconds, long bytes) {
    Summary summary = ScanFigures.summary(seconds);
    table.row(
        name,
        Integer.toString(seconds.size()),
        String.format(Locale.ROOT, "%.2f", summary.median()),
        String.format(Locale.ROOT, "%.2f", summary.min()),
        String.format(Locale.ROOT, "%.2f", summary.max()),
        String.format(Locale.ROOT, "%.0f", bytes / 1e6 / summary.median()));
  }
}
