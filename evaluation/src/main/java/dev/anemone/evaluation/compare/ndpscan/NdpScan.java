// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.examples.tpch.TpchTable;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ValueType;
import dev.anemone.ndp.client.ClientOptions;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code evaluation/run ndp-scan}: how fast a proxy with one core filters text. */
@Command(name = "ndp-scan")
public final class NdpScan extends ExperimentCommand {
  private static final String FILE = "/lineitem.tbl";
  private static final long BLOCK_BYTES = 128L << 20;
  private static final long MEMORY = 1L << 30;
  private static final int CONNECTIONS = 16;
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Mixin private TpchOptions data = new TpchOptions(1);
  @Mixin private Runs runs = new Runs(5);

  record Figures(long fileBytes, long rows, List<Double> proxySeconds, List<Double> duckDbSeconds) {
    /** The proxy's rate as a part of DuckDB's, by the medians. */
    double ratio() {
      return Summary.of(duckDbSeconds).median() / Summary.of(proxySeconds).median();
    }
  }

  @Override
  protected boolean measure() throws IOException, SQLException {
    data.open(evaluation());
    Path work = directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work.resolve("plans"));
    try {
      Path file = oneFile(work.resolve("lineitem.tbl"));
      try (MiniHdfs hdfs = MiniHdfs.start(work.resolve("hdfs"), 1, BLOCK_BYTES, Map.of())) {
        MiniHdfs.copy(file, hdfs.files(), FILE);
        ProxyOptions.Limits limits =
            new ProxyOptions.Limits(
                1, MEMORY, 1, CONNECTIONS, Files.size(file), DEADLINE, PATIENCE);
        try (NdpProxy proxy =
            MiniHdfs.proxy(hdfs.dataNodes().get(0), limits, work.resolve("plans"))) {
          publish(measure(hdfs, proxy, file));
        }
      }
    } finally {
      FileTrees.delete(work);
    }
    return true;
  }

  private Path oneFile(Path target) throws IOException {
    try (Stream<Path> parts = Files.list(data.directory(evaluation()));
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

  private Figures measure(MiniHdfs hdfs, NdpProxy proxy, Path file)
      throws IOException, SQLException {
    long rows = throughProxy(hdfs, proxy);
    requireSame(rows, byDuckDb(file));
    List<Double> proxySeconds = new ArrayList<>();
    List<Double> duckDbSeconds = new ArrayList<>();
    for (int round = 1; round <= runs.count(); round++) {
      long start = System.nanoTime();
      requireSame(rows, throughProxy(hdfs, proxy));
      proxySeconds.add((System.nanoTime() - start) / 1e9);
      start = System.nanoTime();
      requireSame(rows, byDuckDb(file));
      duckDbSeconds.add((System.nanoTime() - start) / 1e9);
      progress(
          "round %d: proxy %.2f s, DuckDB %.2f s",
          round, proxySeconds.get(round - 1), duckDbSeconds.get(round - 1));
    }
    return new Figures(Files.size(file), rows, proxySeconds, duckDbSeconds);
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
          "The filter kept %d rows, but %d before, so one is wrong.", found, expected);
    }
  }

  private void publish(Figures figures) throws IOException {
    MarkdownTable table =
        new MarkdownTable("side; rounds; median s|%.2f; min s|%.2f; max s|%.2f; MB/s|%.0f");
    row(table, "proxy, 1 core", figures.proxySeconds(), figures.fileBytes());
    row(table, "DuckDB, 1 thread", figures.duckDbSeconds(), figures.fileBytes());
    publish(
        figures,
        text(
            "A filter of %.1f MB of text with 16 columns that keeps %d rows",
            figures.fileBytes() / 1e6, figures.rows()),
        table,
        text("The proxy has %.2f of DuckDB's rate.", figures.ratio()));
  }

  private static void row(MarkdownTable table, String name, List<Double> seconds, long bytes) {
    Summary summary = Summary.of(seconds);
    table.row(name, seconds.size(), summary, bytes / 1e6 / summary.median());
  }

  /** A filter of few rows of {@code lineitem}, the largest prices, as a plan and in SQL. */
  static final class ScanQuery {
    private static final List<String> WANTED =
        List.of("l_quantity", "l_extendedprice", "l_discount", "l_shipdate");

    private static final String FILTERED = "l_extendedprice";

    /** Less than a thousandth of the rows has a larger price. */
    private static final String LEAST = "94000.00";

    private static final CsvFormat FORMAT =
        new CsvFormat(
            '|', Optional.empty(), Optional.empty(), false, "", false, CsvFormat.Compression.NONE);

    private ScanQuery() {}

    private static RowType columns() {
      List<Field> fields = new ArrayList<>();
      for (var field : TpchTable.LINEITEM.schema().getFields()) {
        fields.add(
            new Field(
                field.getName(),
                new ValueType(
                    DataType.parse(
                        switch (field.getType().getTypeName()) {
                          case INT32 -> "int32";
                          case INT64 -> "int64";
                          case DECIMAL -> "decimal(15,2)";
                          case LOGICAL_TYPE -> "date";
                          default -> "string";
                        }),
                    true)));
      }
      // After the last column there is a separator, too.
      fields.add(new Field("line_end", new ValueType(DataType.parse("string"), true)));
      return new RowType(fields);
    }

    static PlanRequest request() {
      RowType columns = columns();
      RowType scan =
          new RowType(
              columns.fields().stream().filter(field -> WANTED.contains(field.name())).toList());
      return new PlanRequest(
          FORMAT,
          columns,
          Split.WHOLE,
          RelationalPlan.of(
              scan,
              new Filter(
                  new Comparison(
                      Comparison.Relation.GREATER,
                      new Column(FILTERED),
                      Literal.of(new BigDecimal(LEAST))))));
    }

    static String sql(Path file) {
      String columns =
          columns().fields().stream()
              .map(field -> "'" + field.name() + "': '" + sqlType(field.type().type().text()) + "'")
              .collect(Collectors.joining(", "));
      return """
          SELECT %s FROM read_csv('%s', auto_detect = false, delim = '|', header = false,
          quote = '', escape = '', columns = {%s}) WHERE %s > %s"""
          .formatted(
              String.join(", ", WANTED),
              file.toString().replace("'", "''"),
              columns,
              FILTERED,
              LEAST);
    }

    private static String sqlType(String type) {
      return switch (type) {
        case "int32" -> "INTEGER";
        case "int64" -> "BIGINT";
        case "string" -> "VARCHAR";
        default -> type.toUpperCase(Locale.ROOT);
      };
    }
  }
}
