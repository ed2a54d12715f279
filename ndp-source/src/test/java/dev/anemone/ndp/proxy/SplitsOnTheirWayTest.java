// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.CsvFormat.Compression;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.testing.FakeDataNode;
import dev.anemone.ndp.testing.Proxies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy reads of the files of its data node, and when. */
class SplitsOnTheirWayTest {

  private static final int COLUMNS = 40;
  private static final int ROWS = 200_000;

  @TempDir private Path directory;
  private FakeDataNode dataNode;
  private NdpProxy proxy;
  private final NdpClient client = new NdpClient(Proxies.options(Duration.ofSeconds(50)));

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(directory.resolve("work"));
    dataNode = new FakeDataNode();
    proxy = Proxies.start(dataNode.address(), directory.resolve("work"), 1, Optional.empty());
  }

  @AfterEach
  void stop() {
    proxy.close();
    dataNode.close();
  }

  @Test
  void rowsOfCompressedTextComeBeforeAllOfIt() throws IOException {
    int rows = 900_000;
    byte[] file = compressed(rows);
    dataNode.put("/t/a.csv.gz", file);
    dataNode.shutBehind(file.length * 3 / 4);
    try (RootAllocator allocator = new RootAllocator();
        ProxyAnswer answer =
            client.run(
                proxy.address(), Proxies.file("/t/a.csv.gz"), request(Proxies.ALL), allocator)) {
      assertThat(answer.loadNextBatch()).isTrue();
      try (var files = Files.walk(directory.resolve("work"))) {
        assertThat(files.filter(Files::isRegularFile)).isEmpty();
      }
      dataNode.open();
      long read = answer.getVectorSchemaRoot().getRowCount();
      while (answer.loadNextBatch()) {
        read += answer.getVectorSchemaRoot().getRowCount();
      }
      assertThat(read).isEqualTo(rows);
      assertThat(answer.isVerified()).isTrue();
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    byte[] file = compressed(100_000);
    dataNode.put("/t/a.csv.gz", Arrays.copyOf(file, file.length / 2));
    ProxyException failure =
        catchThrowableOfType(
            ProxyException.class,
            () ->
                Proxies.rows(
                    client, proxy.address(), Proxies.file("/t/a.csv.gz"), request(Proxies.sum())));
    assertThat(failure.kind()).isEqualTo(ProxyException.Kind.FAILED);
    assertThat(failure).hasMessageContaining("/t/a.csv.gz is damaged: it is cut off after ");
  }

  /** All requests together, with that for the size of the file, which is broken off. */
  @Test
  void aColumnOfManyIsLittleOfAParquetFile() throws IOException, SQLException {
    byte[] file = parquet();
    dataNode.put("/t/a.parquet", file);
    RowType columns =
        new RowType(
            IntStream.range(0, COLUMNS)
                .mapToObj(i -> Field.nullable("c" + i, SimpleType.INT64))
                .toList());
    RowType one = RowType.of(Field.nullable("c7", SimpleType.INT64));
    List<List<Object>> rows =
        Proxies.rows(
            client,
            proxy.address(),
            Proxies.file("/t/a.parquet"),
            new PlanRequest(new ParquetFormat(), columns, Split.WHOLE, RelationalPlan.of(one)));
    assertThat(rows).hasSize(ROWS);
    awaitEndOfPlan();
    assertThat(proxy.status().totals().bytesIn()).isBetween(1L, file.length / 30L);
    assertThat(dataNode.sent()).isLessThan(file.length / 4);
  }

  /** What a plan has read is known a moment after its answer has come. */
  private void awaitEndOfPlan() {
    long due = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (proxy.status().totals().finished() == 0) {
      assertThat(System.nanoTime()).as("%s", proxy.status()).isLessThan(due);
      Thread.onSpinWait();
    }
  }

  private static PlanRequest request(RelationalPlan plan) {
    return new PlanRequest(
        CsvFormat.of('|').withCompression(Compression.GZIP), Proxies.ROW, Split.WHOLE, plan);
  }

  /** Lines that do not compress much. */
  private static byte[] compressed(int rows) throws IOException {
    Random random = new Random(1);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(file)) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < rows; i++) {
        line.setLength(0);
        line.append(i).append('|').append(Long.toHexString(random.nextLong()));
        line.append(Long.toHexString(random.nextLong())).append('\n');
        out.write(line.toString().getBytes(US_ASCII));
      }
    }
    return file.toByteArray();
  }

  private byte[] parquet() throws IOException, SQLException {
    Path file = directory.resolve("a.parquet");
    String columns =
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> "(hash(i + " + i + ") >> 1)::BIGINT AS c" + i)
            .collect(Collectors.joining(", "));
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT "
              + columns
              + " FROM range("
              + ROWS
              + ") r(i)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 20000)");
    }
    return Files.readAllBytes(file);
  }
}
