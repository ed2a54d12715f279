// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import dev.anemone.ndp.sql.SqlText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and batches that lie elsewhere. */
class ElsewhereTest {

  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));
  private static final RelationalPlan ALL = RelationalPlan.of(ROW);

  @TempDir Path directory;
  private Path work;
  private NdpEngine engine;

  @BeforeEach
  void open() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    engine = new NdpEngine(TestLimits.in(work));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    engine.close();
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void littleMoreThanASplitOfTextIsRead() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,sevenseven\n".repeat(100_000));
    try (Counted bytes = new Counted(file)) {
      Split split = new Split(500_000, 130_000);
      assertThat(AnswerRows.of(engine.run(ALL, CsvFormat.of(','), ROW, bytes, split)))
          .hasSize(10_000);
      assertThat(bytes.read).isBetween(130_000L, 130_000L + 3 * (1 << 13));
    }
  }

  @Test
  void severalPlansRunOnASplitThatIsReadOnce() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,sevenseven\n".repeat(1_000));
    try (Counted bytes = new Counted(file);
        OpenSplit split = engine.open(ROW, CsvFormat.of(','), ROW, bytes, new Split(0, 1_300))) {
      long read = bytes.read;
      assertThat(AnswerRows.of(split.run(List.of()))).hasSize(100);
      Project names = new Project(List.of(NamedExpression.column("name")));
      Project ids = new Project(List.of(NamedExpression.column("id")));
      assertThat(AnswerRows.of(split.run(List.of(names))))
          .hasSize(100)
          .contains(List.of("sevenseven"));
      assertThatThrownBy(() -> split.run(List.of(names, ids)))
          .isInstanceOf(InvalidPlanException.class);
      assertThat(AnswerRows.of(split.run(List.of()))).hasSize(100);
      assertThat(bytes.read).isEqualTo(read);
    }
  }

  @Test
  void linesThatAreNotPlainAreWrittenAnew() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,a\n+8, \"b\"\r\n9,c\n".repeat(50));
    TextFormat format = new TextFormat("Default");
    List<List<Object>> rows = new ArrayList<>();
    for (long start = 0; start < Files.size(file); start += 100) {
      try (Counted bytes = new Counted(file)) {
        rows.addAll(AnswerRows.of(engine.run(ALL, format, ROW, bytes, new Split(start, 100))));
      }
    }
    assertThat(rows)
        .hasSize(150)
        .startsWith(List.of(7L, "a"), List.of(8L, " \"b\""), List.of(9L, "c"));

    Files.writeString(file, "7,a\n".repeat(100) + "7.5,a\n");
    try (Counted bytes = new Counted(file)) {
      assertThatThrownBy(() -> engine.run(ALL, format, ROW, bytes, new Split(200, 1_000)))
          .isInstanceOf(NdpEngineException.class)
          .hasMessage("line 101 of the file: column id is int64, not '7.5'");
    }
  }

  @Test
  void aSplitWithoutARecordHasNoRows() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "1,abcdefghijkl\n2,b\n");
    try (Counted bytes = new Counted(file)) {
      assertThat(AnswerRows.of(engine.run(ALL, CsvFormat.of(','), ROW, bytes, new Split(3, 4))))
          .isEmpty();
    }
  }

  @Test
  void onlyThePlansColumnsOfTheSplitsRowGroupsAreRead() throws IOException, SQLException {
    Path file = parquet();
    long size = Files.size(file);
    RelationalPlan names = RelationalPlan.of(RowType.of(Field.nullable("name", SimpleType.STRING)));
    try (Counted bytes = new Counted(file)) {
      List<List<Object>> first =
          AnswerRows.of(engine.run(names, new ParquetFormat(), ROW, bytes, new Split(0, size / 3)));
      assertThat(first.size()).isBetween(1, 60_000);
      assertThat(bytes.read).isLessThan(size / 5);
      List<List<Object>> rest =
          AnswerRows.of(
              engine.run(
                  names, new ParquetFormat(), ROW, bytes, new Split(size / 3, Long.MAX_VALUE)));
      assertThat(first.size() + rest.size()).isEqualTo(100_000);
      assertThat(bytes.read).isLessThan(size / 2);
    }
  }

  @Test
  void bloomFiltersAreThereForTheEngine() throws IOException, SQLException {
    RelationalPlan one =
        RelationalPlan.of(
            ROW,
            new Filter(
                new Comparison(
                    Comparison.Relation.EQUAL, new Column("name"), Literal.of("name 33"))));
    Path file = parquet();
    try (Counted bytes = new Counted(file)) {
      assertThat(AnswerRows.of(engine.run(one, new ParquetFormat(), ROW, bytes, Split.WHOLE)))
          .hasSize(2_000);
    }
  }

  @Test
  void whatIsNoParquetIsRefused() throws IOException {
    for (String text : List.of("", "PAR1", "PAR1aaaa\177\177\177\177PAR1", "PAR1\0\0\0\0PARE")) {
      Path file = Files.writeString(directory.resolve("t.parquet"), text);
      try (Counted bytes = new Counted(file)) {
        assertThatThrownBy(() -> engine.run(ALL, new ParquetFormat(), ROW, bytes, Split.WHOLE))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining(
                bytes.name() + ", of " + Files.size(file) + " bytes, is not one of" + " Parquet");
      }
    }
  }

  @Test
  void aFooterThatPointsNowhereFails() throws IOException, SQLException {
    byte[] whole = Files.readAllBytes(parquet());
    int footer =
        whole.length
            - 8
            - Byte.toUnsignedInt(whole[whole.length - 8])
            - (Byte.toUnsignedInt(whole[whole.length - 7]) << 8);
    byte[] broken = new byte[whole.length - footer + 4];
    System.arraycopy(whole, 0, broken, 0, 4);
    System.arraycopy(whole, footer, broken, 4, whole.length - footer);
    Path file = Files.write(directory.resolve("broken.parquet"), broken);
    try (Counted bytes = new Counted(file)) {
      assertThatThrownBy(
              () -> AnswerRows.of(engine.run(ALL, new ParquetFormat(), ROW, bytes, Split.WHOLE)))
          .isInstanceOf(NdpEngineException.class);
    }
  }

  @Test
  void whatTheFileSaysOfItsFailureIsTheCause() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,sevenseven\n".repeat(100_000));
    try (Counted bytes = new Counted(file)) {
      bytes.breaksAt = 500_000;
      assertThatThrownBy(() -> engine.run(ALL, CsvFormat.of(','), ROW, bytes, Split.WHOLE))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("the disk is gone")
          .hasRootCauseMessage("the disk is gone");
    }
  }

  @Test
  void readingBelongsToThePlansTime() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,sevenseven\n".repeat(200_000));
    NdpEngineLimits hasty =
        new NdpEngineLimits(1, 256L << 20, 1L << 30, Duration.ofMillis(1), work);
    try (NdpEngine impatient = new NdpEngine(hasty);
        Counted bytes = new Counted(file)) {
      bytes.mostAtOnce = 4;
      assertThatThrownBy(() -> impatient.run(ALL, CsvFormat.of(','), ROW, bytes, Split.WHOLE))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("stopped after 1 ms, its deadline");
      assertThat(bytes.read).isLessThan(Files.size(file));
    }
  }

  @Test
  void batchesOfOtherColumnsAreRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,a\n");
    byte[] batches =
        AnswerBytes.of(engine.run(ALL, new Table(file, CsvFormat.of(','), ROW), Split.WHOLE));
    RelationalPlan other = RelationalPlan.of(RowType.of(Field.nullable("id", SimpleType.INT64)));
    try (RootAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> engine.run(other, AnswerBytes.reader(batches, allocator)))
          .isInstanceOf(InvalidPlanException.class)
          .hasMessageContaining("the batches have");
    }
  }

  @Test
  void batchesThatBreakOffFail() throws IOException {
    Path file = Files.writeString(directory.resolve("t.csv"), "7,seven\n".repeat(100_000));
    byte[] batches =
        AnswerBytes.of(engine.run(ALL, new Table(file, CsvFormat.of(','), ROW), Split.WHOLE));
    byte[] half = Arrays.copyOf(batches, batches.length / 2);
    try (RootAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> AnswerRows.of(engine.run(ALL, AnswerBytes.reader(half, allocator))))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("the plan's batches broke off")
          .hasCauseInstanceOf(IOException.class);
    }
  }

  /** Groups of about 20,000 rows, the column of names much smaller than the other. */
  private Path parquet() throws SQLException {
    Path file = directory.resolve("t.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT (hash(i) >> 1)::BIGINT AS id, 'name ' || (i % 50) AS name"
              + " FROM (SELECT range // 4 AS i FROM range(100000))) TO "
              + SqlText.string(file.toString())
              + " (FORMAT parquet, ROW_GROUP_SIZE 20000)");
    }
    return file;
  }

  /** A file that counts what is read of it. */
  private static final class Counted implements SplitBytes {

    private final SplitBytes file;
    private long read;
    private long breaksAt = Long.MAX_VALUE;
    private int mostAtOnce = Integer.MAX_VALUE;

    Counted(Path path) throws IOException {
      this.file = SplitBytes.of(path);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public InputStream open(long position, long length) throws IOException {
      return new FilterInputStream(file.open(position, length)) {
        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          if (read > breaksAt) {
            throw new IOException("the disk is gone");
          }
          int count = in.read(target, offset, Math.min(length, mostAtOnce));
          read += Math.max(0, count);
          return count;
        }
      };
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
