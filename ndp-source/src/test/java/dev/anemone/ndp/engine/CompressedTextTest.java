// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.CsvFormat.Compression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Compressed text that lies elsewhere, which is decompressed and read while it comes. */
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CompressedTextTest {

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
  private static final int LINES = 700_000;

  /** Many times what a pipe, the engine and the feed hold. */
  private static final String TEXT = text();

  /** {@link #TEXT}, which is compressed once for all tests. */
  private static final Map<Compression, byte[]> COMPRESSED_TEXT = new EnumMap<>(Compression.class);

  @TempDir private Path directory;
  private Path work;
  private NdpEngine engine;

  @BeforeEach
  void open() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    engine = engine(Duration.ofMinutes(2));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    engine.close();
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("plan-feed"));
  }

  private NdpEngine engine(Duration deadline) {
    // Nothing may be copied.
    return new NdpEngine(new NdpEngineLimits(1, 64L << 20, 0, deadline, work));
  }

  /** Numbers that do not compress much: a seventh of the text is gone. */
  private static String text() {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      text.append(i).append(',');
      for (int j = 0; j < 40; j++) {
        text.append((char) ('0' + random.nextInt(64)));
      }
      text.append('\n');
    }
    return text.toString().replace('"', '!').replace('\\', '!');
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void rowsComeBeforeAllOfTheFileIsThere(Compression compression) throws IOException {
    Path file = write(compression, TEXT);
    CountDownLatch rowsAreThere = new CountDownLatch(1);
    try (ArrivingFile bytes =
            new ArrivingFile(file, Files.size(file) / 2, ArrivingFile.Event.awaits(rowsAreThere));
        PlanAnswer answer = engine.run(ALL, csv(compression), ROW, bytes, Split.WHOLE)) {
      assertThat(answer.loadNextBatch()).isTrue();
      assertThat(bytes.bytesRead()).isLessThan(Files.size(file) * 3 / 4);
      try (var files = Files.walk(work)) {
        assertThat(files.filter(Files::isRegularFile)).isEmpty();
      }
      rowsAreThere.countDown();
      while (answer.loadNextBatch()) {
        // Only counted.
      }
      assertThat(answer.rows()).isEqualTo(LINES);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void allMembersOfAFileAreRead(Compression compression) throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    int lines = 1_000;
    for (int i = 0; i < lines; i++) {
      // Of a part of a line; every seventh is empty.
      members.write(compressed(compression, i + ",n"));
      members.write(compressed(compression, i % 7 == 0 ? "" : "ame"));
      members.write(compressed(compression, "\n"));
    }
    members.write(compressed(compression, TEXT.substring(0, TEXT.length() / 2)));
    members.write(compressed(compression, TEXT.substring(TEXT.length() / 2)));
    Path file = Files.write(directory.resolve("t"), members.toByteArray());
    for (long from : new long[] {0, Long.MAX_VALUE}) {
      try (ArrivingFile bytes = new ArrivingFile(file, from, () -> {})) {
        assertThat(
                AnswerRows.of(engine.run(SUM, csv(compression), ROW, bytes, Split.WHOLE))
                    .get(0)
                    .get(0))
            .hasToString(String.valueOf(sumBelow(lines) + sumBelow(LINES)));
      }
    }
  }

  private static long sumBelow(long count) {
    return count * (count - 1) / 2;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void smallAndEmptyTextsAreRead(Compression compression) throws IOException {
    assertThat(rows(compression, "1,a\n2,b")).containsExactly(List.of(1L, "a"), List.of(2L, "b"));
    assertThat(rows(compression, "")).isEmpty();
    // The header's line end is not that of all lines to the engine, when it is told.
    CsvFormat format = csv(compression).withHeader(true).withQuotedNewlines(true);
    try (ArrivingFile bytes =
        new ArrivingFile(write(compression, "id,\"na\r\nme\"\n1,\"a\r\nb\"\n2,c\n"))) {
      assertThat(AnswerRows.of(engine.run(ALL, format, ROW, bytes, Split.WHOLE)))
          .containsExactly(List.of(1L, "a\r\nb"), List.of(2L, "c"));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void longLinesAreReadAndLongerOnesAreRefused(Compression compression) throws IOException {
    String longest = "x".repeat(1_999_998);
    assertThat(rows(compression, "1," + longest + "\n2,b\n3," + longest)).hasSize(3);
    for (String line :
        List.of("1,x" + longest, "1," + longest.repeat(2), "1," + longest.repeat(9))) {
      for (String text : List.of(line, "2,b\n" + line, "2,b\n" + line + "\n", line + "\n2,b\n")) {
        assertThatThrownBy(() -> rows(compression, text))
            .as("%d bytes", line.length())
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("the line at byte " + text.indexOf(line) + " of the text of ")
            .hasMessageContaining("more than 2000000 bytes");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void whatIsDamagedIsNamed(Compression compression) throws IOException {
    for (String text : List.of("1,a\n2,b\n", TEXT)) {
      byte[] whole = compressed(compression, text);
      isDamaged(compression, Arrays.copyOf(whole, whole.length / 2), "");
      isDamaged(compression, Arrays.copyOf(whole, whole.length - 1), "");
      isDamaged(compression, Arrays.copyOf(whole, whole.length + 5), "");
      byte[] changed = whole.clone();
      changed[whole.length / 2] ^= 0x20;
      isDamaged(compression, changed, "");
      byte[] more = compressed(compression, "3,c\n");
      byte[] both = Arrays.copyOf(whole, whole.length + more.length - 3);
      System.arraycopy(more, 0, both, whole.length, more.length - 3);
      isDamaged(compression, both, "it is cut off");
    }
    isDamaged(compression, new byte[0], "it is empty");
    isDamaged(compression, "1,a\n2,b\n".getBytes(UTF_8), "");
  }

  private void isDamaged(Compression compression, byte[] content, String reason)
      throws IOException {
    Path file = Files.write(directory.resolve("t.damaged"), content);
    for (RelationalPlan plan : List.of(ALL, SUM)) {
      try (ArrivingFile bytes = new ArrivingFile(file)) {
        assertThatThrownBy(
                () -> AnswerRows.of(engine.run(plan, csv(compression), ROW, bytes, Split.WHOLE)))
            .as("%d bytes", content.length)
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining(file + " is damaged: " + reason);
        assertThat(bytes.streams()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aFileHereThatIsCutOffIsNotTakenForAShorterOne(Compression compression) throws IOException {
    for (String text : List.of("1,a\n2,b\n", TEXT)) {
      byte[] whole = compressed(compression, text);
      Path file = Files.write(directory.resolve("t.here"), whole);
      assertThat(AnswerRows.of(engine.run(SUM, here(file, compression), Split.WHOLE))).hasSize(1);
      for (int length : new int[] {whole.length / 2, whole.length - 5, whole.length - 1}) {
        Files.write(file, Arrays.copyOf(whole, length));
        for (RelationalPlan plan : List.of(ALL, SUM)) {
          assertThatThrownBy(
                  () -> AnswerRows.of(engine.run(plan, here(file, compression), Split.WHOLE)))
              .as("%d of %d bytes", length, whole.length)
              .isInstanceOf(NdpEngineException.class)
              .hasMessageContaining(file.toString());
        }
      }
    }
  }

  private static Table here(Path file, Compression compression) {
    return new Table(file, csv(compression), ROW);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aFileThatBreaksOffIsNotTakenForAShorterOne(Compression compression) throws IOException {
    Path file = write(compression, TEXT);
    for (RelationalPlan plan : List.of(ALL, SUM)) {
      try (ArrivingFile bytes =
          new ArrivingFile(
              file,
              Files.size(file) / 2,
              () -> {
                throw new IOException("disk gone");
              })) {
        assertThatThrownBy(
                () -> AnswerRows.of(engine.run(plan, csv(compression), ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("disk gone")
            .hasRootCauseMessage("disk gone");
      }
      try (ArrivingFile bytes = new ArrivingFile(file)) {
        bytes.claim(Files.size(file) - 1_000);
        assertThatThrownBy(
                () -> AnswerRows.of(engine.run(plan, csv(compression), ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining(file + " is damaged");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aLineThatIsNoRowIsNamed(Compression compression) throws IOException {
    assertThatThrownBy(() -> rows(compression, TEXT + "seven,7\n"))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("CSV Error on Line: " + (LINES + 1))
        .hasMessageContaining("seven,7");
    byte[] text = (TEXT + "7,bj\u00f6rn\n").getBytes(ISO_8859_1);
    Path file = Files.write(directory.resolve("t"), compressed(compression, text));
    try (ArrivingFile bytes = new ArrivingFile(file)) {
      assertThatThrownBy(
              () -> AnswerRows.of(engine.run(SUM, csv(compression), ROW, bytes, Split.WHOLE)))
          .hasMessageContaining("line " + (LINES + 1) + " of " + file + ", which is not UTF-8");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aPlanMayEndBeforeItsFile(Compression compression) throws IOException {
    Path file = write(compression, TEXT);
    try (ArrivingFile bytes = new ArrivingFile(file)) {
      engine.run(ALL, csv(compression), ROW, bytes, Split.WHOLE).close();
      try (PlanAnswer answer = engine.run(ALL, csv(compression), ROW, bytes, Split.WHOLE)) {
        assertThat(answer.loadNextBatch()).isTrue();
      }
      assertThat(bytes.bytesRead()).isLessThan(2 * Files.size(file));
      assertThat(bytes.streams()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aPlanThatNobodyWantsEndsWithItsThread(Compression compression) throws IOException {
    Path file = write(compression, TEXT);
    AtomicBoolean unwanted = new AtomicBoolean();
    ArrivingFile.Event trickles = ArrivingFile.Event.trickles();
    try (ArrivingFile bytes =
        new ArrivingFile(
            file,
            Files.size(file) / 2,
            () -> {
              unwanted.set(true);
              trickles.happen();
            })) {
      assertThatThrownBy(
              () ->
                  AnswerRows.of(
                      engine.run(SUM, csv(compression), ROW, bytes, Split.WHOLE, unwanted::get)))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("nobody wants its answer");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void aFileThatDoesNotComeIsNotWaitedForLongerThanThePlanMayTake(Compression compression)
      throws IOException {
    Path file = write(compression, TEXT);
    for (long from : new long[] {0, Files.size(file) / 2}) {
      try (NdpEngine impatient = engine(Duration.ofSeconds(2));
          ArrivingFile bytes = new ArrivingFile(file, from, ArrivingFile.Event.trickles())) {
        assertThatThrownBy(
                () -> AnswerRows.of(impatient.run(SUM, csv(compression), ROW, bytes, Split.WHOLE)))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining("stopped after 2000 ms, its deadline");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void partsOfAFileAreRefused(Compression compression) throws IOException {
    Path file = write(compression, "1,a\n2,b\n");
    for (Split part : List.of(new Split(1, 1_000), new Split(0, 5))) {
      try (ArrivingFile bytes = new ArrivingFile(file)) {
        assertThatThrownBy(() -> engine.run(ALL, csv(compression), ROW, bytes, part))
            .isInstanceOf(NdpEngineException.class)
            .hasMessageContaining(file + " is compressed and cannot be divided");
        assertThat(bytes.bytesRead()).isZero();
      }
    }
  }

  private static CsvFormat csv(Compression compression) {
    return CsvFormat.of(',').withCompression(compression);
  }

  private Path write(Compression compression, String text) throws IOException {
    return Files.write(directory.resolve("t"), compressed(compression, text));
  }

  private static byte[] compressed(Compression compression, String text) throws IOException {
    if (!text.equals(TEXT)) {
      return compressed(compression, text.getBytes(UTF_8));
    }
    byte[] known = COMPRESSED_TEXT.get(compression);
    if (known == null) {
      known = compressed(compression, TEXT.getBytes(UTF_8));
      COMPRESSED_TEXT.put(compression, known);
    }
    return known.clone();
  }

  private static byte[] compressed(Compression compression, byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        compression == Compression.GZIP
            ? new GZIPOutputStream(bytes)
            : new ZstdOutputStream(bytes, Zstd.defaultCompressionLevel()).setChecksum(true)) {
      out.write(text);
    }
    return bytes.toByteArray();
  }

  private List<List<Object>> rows(Compression compression, String text) throws IOException {
    try (ArrivingFile bytes = new ArrivingFile(write(compression, text))) {
      return AnswerRows.of(engine.run(ALL, csv(compression), ROW, bytes, Split.WHOLE));
    }
  }
}
