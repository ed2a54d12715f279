// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.testing.RandomPlans;
import dev.anemone.ir.testing.RandomValues;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.rows.ArrowRows;
import dev.anemone.ndp.rows.FinalAggregation;
import dev.anemone.ndp.sql.SqlText;
import dev.anemone.ndp.testing.CsvText;
import dev.anemone.ndp.testing.Interpreter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Random tables, plans and splits: what the engine gives for the splits, taken together, is what an
 * interpreter gives for the whole table.
 */
@Tag("slow")
class EnginePropertyTest {

  private Path directory;
  private NdpEngine engine;

  @BeforeProperty
  void open() throws IOException {
    directory = Files.createTempDirectory(Path.of("target"), "engine-property");
    engine = new NdpEngine(TestLimits.in(directory));
  }

  @AfterProperty
  void close() throws IOException {
    engine.close();
    // A table that a failure has left must not hide what failed.
    try (var left = Files.list(directory)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("plan-"))).isEmpty();
    }
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void splitsOfText(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    RandomPlans plans = new RandomPlans(random);
    RowType columns = plans.row();
    List<List<Object>> rows = rows(columns, random, random.nextInt(4) == 0);
    CsvFormat format = format(random).withQuotedNewlines(hasLineEnds(rows));
    String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
    Path file = directory.resolve("table.csv");
    String header = format.header() ? "a header" + lineEnd : "";
    Files.writeString(file, header + CsvText.of(rows, format, lineEnd, random.nextBoolean()));
    check(plans, new Table(file, format, columns), rows, random);
    Files.delete(file);
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void splitsOfParquet(@ForAll long seed) throws IOException, SQLException {
    Random random = new Random(seed);
    RandomPlans plans = new RandomPlans(random);
    RowType columns = plans.row();
    List<List<Object>> rows = rows(columns, random, false);
    Path text = directory.resolve("table.csv");
    Path file = directory.resolve("table [x]*.parquet");
    Files.writeString(text, CsvText.of(rows, CsvFormat.of('|'), "\n", false));
    writeParquet(new Table(text, CsvFormat.of('|'), columns), file);
    Files.delete(text);
    check(plans, new Table(file, new ParquetFormat(), columns), rows, random);
    Files.delete(file);
  }

  private void check(RandomPlans plans, Table table, List<List<Object>> rows, Random random)
      throws IOException {
    for (int i = 0; i < 2; i++) {
      RelationalPlan plan = plans.plan(table.columns());
      List<Split> splits = splits(Files.size(table.file()), random);
      assertThat(sorted(answer(plan, table, splits, random)))
          .as("%s%nof %s%nin %s", plan.text(), table, splits)
          .isEqualTo(sorted(Interpreter.run(plan, table.columns(), rows)));
    }
  }

  private List<List<Object>> answer(
      RelationalPlan plan, Table table, List<Split> splits, Random random) throws IOException {
    List<RelationalOperator> operators = new ArrayList<>(plan.operators());
    Optional<Aggregate> aggregate =
        !operators.isEmpty() && operators.get(operators.size() - 1) instanceof Aggregate last
            ? Optional.of(last)
            : Optional.empty();
    aggregate.ifPresent(last -> operators.set(operators.size() - 1, last.partialHalf()));
    RelationalPlan partial = new RelationalPlan(plan.scan(), operators);
    List<List<Object>> rows = new ArrayList<>();
    for (Split split : splits) {
      // Each split in one of the ways that must not differ.
      switch (random.nextInt(3)) {
        case 0 -> addRows(engine.run(partial, table, split), rows);
        case 1 -> addRows(runOnBytes(partial, table, split), rows);
        default -> {
          int cut = random.nextInt(operators.size() + 1);
          RelationalPlan first = new RelationalPlan(plan.scan(), operators.subList(0, cut));
          RelationalPlan rest =
              new RelationalPlan(first.output(), operators.subList(cut, operators.size()));
          try (RootAllocator allocator = new RootAllocator()) {
            ArrowReader batches =
                AnswerBytes.reader(AnswerBytes.of(runOnBytes(first, table, split)), allocator);
            addRows(engine.run(rest, batches), rows);
          }
        }
      }
    }
    if (aggregate.isEmpty()) {
      return rows;
    }
    FinalAggregation last = new FinalAggregation(aggregate.get().finalHalf(), partial.output());
    assertThat(last.resultType()).isEqualTo(plan.output());
    rows.forEach(last::add);
    return last.result();
  }

  private PlanAnswer runOnBytes(RelationalPlan plan, Table table, Split split) throws IOException {
    try (SplitBytes bytes = SplitBytes.of(table.file())) {
      return engine.run(plan, table.format(), table.columns(), bytes, split);
    }
  }

  private static void addRows(PlanAnswer given, List<List<Object>> rows) {
    try (PlanAnswer answer = given) {
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.root(), answer.type()));
      }
    }
  }

  /** In another order doubles add up to others, in their last digits. */
  private static final MathContext DIGITS_OF_SUMS = new MathContext(11);

  private static List<String> sorted(List<List<Object>> rows) {
    List<String> texts = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> plain = new ArrayList<>(row);
      plain.replaceAll(
          value ->
              value instanceof Double real && Double.isFinite(real)
                  ? (Object) new BigDecimal(real).round(DIGITS_OF_SUMS).doubleValue()
                  : value);
      texts.add(plain.toString());
    }
    texts.sort(Comparator.naturalOrder());
    return texts;
  }

  private static List<Split> splits(long size, Random random) {
    TreeSet<Long> cuts = new TreeSet<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      cuts.add((long) random.nextInt((int) size + 2));
    }
    List<Split> splits = new ArrayList<>();
    long start = 0;
    for (long cut : cuts) {
      splits.add(new Split(start, cut - start));
      start = cut;
    }
    splits.add(
        new Split(start, random.nextBoolean() ? Long.MAX_VALUE : size + 1 - Math.min(size, start)));
    return splits;
  }

  private static List<List<Object>> rows(RowType columns, Random random, boolean lineEnds) {
    RandomValues values = new RandomValues(random);
    List<List<Object>> rows = new ArrayList<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (Field field : columns.fields()) {
        Object value = random.nextInt(5) == 0 ? null : values.of(field.type().type());
        row.add(lineEnds && value instanceof String text ? text + "\n,\"" : value);
      }
      // An empty line is no record of one null to any reader of text.
      if (columns.fields().size() > 1 || row.get(0) != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static boolean hasLineEnds(List<List<Object>> rows) {
    return rows.stream()
        .flatMap(List::stream)
        .anyMatch(value -> value instanceof String text && text.contains("\n"));
  }

  private static CsvFormat format(Random random) {
    char delimiter = ",|;\t".charAt(random.nextInt(4));
    CsvFormat format = CsvFormat.of(delimiter).withHeader(random.nextBoolean());
    if (random.nextInt(3) == 0) {
      format = format.withNullText("NULL");
    }
    return random.nextBoolean()
        ? format
        : new CsvFormat(
            delimiter,
            format.quote(),
            Optional.of('\\'),
            format.header(),
            format.nullText(),
            false,
            CsvFormat.Compression.NONE);
  }

  /** The same rows in groups of few. */
  private static void writeParquet(Table text, Path file) throws IOException, SQLException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < text.columns().fields().size(); i++) {
      names.add("c0_" + i + " AS " + text.columns().fields().get(i).name());
    }
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT "
              + String.join(", ", names)
              + " FROM ("
              + CsvScan.query(
                  text.columns(),
                  (CsvFormat) text.format(),
                  Split.WHOLE,
                  text.columns(),
                  text.file())
              + ")) TO "
              + SqlText.string(file.toString())
              + " (FORMAT parquet, ROW_GROUP_SIZE 2048)");
    }
  }
}
