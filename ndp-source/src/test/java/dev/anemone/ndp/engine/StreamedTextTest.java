// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits of text that are read while they come, since they are large. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StreamedTextTest {

  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));
  private static final RelationalPlan ALL = RelationalPlan.of(ROW);
  private static final RelationalPlan SUM =
      RelationalPlan.of(
          ROW,
          Aggregate.complete(
                  List.of(),
                  List.of(
                      AggregateCall.of("total", AggregateFunction.SUM, "id"),
                      AggregateCall.of("last", AggregateFunction.MAX, "name")))
              .partialHalf());
  private static final CsvFormat CSV = CsvFormat.of(',');

  /** Of 50 bytes. */
  private static final String LINE = "7,seven seven seven seven seven seven seven seven\n";

  private static final int LINES = 500_000;
  private static final long BYTES = (long) LINES * LINE.length();

  @TempDir private Path directory;
  private Path work;
  private NdpEngine engine;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    engine = engine(Duration.ofMinutes(2));
    file = Files.writeString(directory.resolve("t.csv"), LINE.repeat(LINES));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    engine.close();
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  private NdpEngine engine(Duration deadline) {
    // Far less than the split.
    return new NdpEngine(new NdpEngineLimits(1, 64L << 20, BYTES / 10, deadline, work));
  }

  @Test
  void rowsComeBeforeAllOfTheSplitIsThere() throws IOException {
    CountDownLatch rowsAreThere = new CountDownLatch(1);
    try (ArrivingFile bytes =
            new ArrivingFile(file, BYTES / 2, ArrivingFile.Event.awaits(rowsAreThere));
        PlanAnswer answer = engine.run(ALL, CSV, ROW, bytes, Split.WHOLE)) {
      assertThat(answer.loadNextBatch()).isTrue();
      rowsAreThere.countDown();
      while (answer.loadNextBatch()) {
        // Only counted.
      }
      assertThat(answer.rows()).isEqualTo(LINES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void splitsHaveEachRecordOnce(String lineEnd) throws IOException {
    StringBuilder text = new StringBuilder("id,name" + lineEnd);
    for (int i = 0; i < LINES; i++) {
      text.append(i).append(",\"name, that is number ").append(i).append('"').append(lineEnd);
    }
    text.append("7,").append("x".repeat(1_900_000)).append(lineEnd).append("8,end");
    Files.writeString(file, text);
    long size = Files.size(file);
    for (boolean quotedNewlines : List.of(false, true)) {
      CsvFormat format = CSV.withHeader(true).withQuotedNewlines(quotedNewlines);
      long total = 0;
      for (long start = 0; start < size; start += size / 2 - 1_000) {
        try (ArrivingFile bytes = new ArrivingFile(file)) {
          List<Object> row =
              AnswerRows.of(engine.run(SUM, format, ROW, bytes, new Split(start, size / 2 - 1_000)))
                  .get(0);
          total += row.get(0) == null ? 0 : ((Number) row.get(0)).longValue();
        }
      }
      assertThat(total).isEqualTo((long) LINES * (LINES - 1) / 2 + 15);
    }
  }

  @Test
  void aFileThatBreaksOffIsNotTakenForAShorterOne() throws IOException {
    for (RelationalPlan plan : List.of(ALL, SUM)) {
      try (ArrivingFile bytes =
          new ArrivingFile(file, BYTES / 2, () -> fail(new IOException("disk gone")))) {
        assertThatThrownBy(() -> AnswerRows.of(engine.run(plan, CSV, ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("disk gone")
            .hasRootCauseMessage("disk gone");
      }
      try (ArrivingFile bytes =
          new ArrivingFile(file, BYTES / 2, () -> fail(new IllegalStateException("refused")))) {
        assertThatThrownBy(() -> AnswerRows.of(engine.run(plan, CSV, ROW, bytes, Split.WHOLE)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("refused");
      }
      try (ArrivingFile bytes =
          new ArrivingFile(file, BYTES / 2, () -> fail(new OutOfMemoryError("heap")))) {
        assertThatThrownBy(() -> AnswerRows.of(engine.run(plan, CSV, ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("heap");
      }
      try (ArrivingFile bytes = new ArrivingFile(file)) {
        bytes.claim(BYTES + 1_000);
        assertThatThrownBy(() -> AnswerRows.of(engine.run(plan, CSV, ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("became shorter than");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, LINES})
  void aLineThatIsNoRowIsNamed(int line) throws IOException {
    Files.writeString(
        file, LINE.repeat(line - 1) + "seven,7\n" + LINE.repeat(LINES - line), ISO_8859_1);
    failsAlike("CSV Error on Line: " + line, "seven,7");
    Files.writeString(
        file, LINE.repeat(line - 1) + "7,bj\u00f6rn\n" + LINE.repeat(LINES - line), ISO_8859_1);
    failsAlike("line " + line + " of", "not UTF-8");
  }

  private void failsAlike(String... says) throws IOException {
    for (RelationalPlan plan : List.of(ALL, SUM)) {
      try (ArrivingFile bytes = new ArrivingFile(file)) {
        var failure =
            assertThatThrownBy(() -> AnswerRows.of(engine.run(plan, CSV, ROW, bytes, Split.WHOLE)))
                .isInstanceOf(NdpEngineException.class);
        for (String each : says) {
          failure.hasMessageContaining(each);
        }
      }
    }
  }

  /** The engine would leave the last line out, and say nothing. */
  @Test
  void aLineThatIsTooLongIsRefused() throws IOException {
    String line = "7," + "x".repeat(9_000_000);
    for (String text : List.of(line, "8,b\n" + line + "\n", line + "\n" + "8,b\n".repeat(9))) {
      Files.writeString(file, text);
      failsAlike(
          "the line at byte " + text.indexOf(line) + " of the text of " + file,
          "more than 2000000 bytes");
    }
  }

  @Test
  void aPlanMayEndBeforeItsSplit() throws IOException {
    try (ArrivingFile bytes = new ArrivingFile(file)) {
      engine.run(ALL, CSV, ROW, bytes, Split.WHOLE).close();
      try (PlanAnswer answer = engine.run(ALL, CSV, ROW, bytes, Split.WHOLE)) {
        assertThat(answer.loadNextBatch()).isTrue();
      }
      assertThat(bytes.bytesRead()).isLessThan(2 * BYTES);
      RelationalPlan none = RelationalPlan.of(ROW, new Filter(Literal.of(false)));
      assertThat(AnswerRows.of(engine.run(none, CSV, ROW, bytes, Split.WHOLE))).isEmpty();
    }
  }

  @Test
  void aSplitThatDoesNotComeIsNotWaitedForLongerThanThePlanMayTake() throws IOException {
    try (NdpEngine impatient = engine(Duration.ofSeconds(2));
        ArrivingFile bytes = new ArrivingFile(file, BYTES / 2, ArrivingFile.Event.trickles())) {
      assertThatThrownBy(() -> AnswerRows.of(impatient.run(SUM, CSV, ROW, bytes, Split.WHOLE)))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("stopped after 2000 ms, its deadline");
    }
  }

  private static void fail(Throwable failure) throws IOException {
    if (failure instanceof IOException checked) {
      throw checked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }
}
