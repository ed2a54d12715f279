// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.ndp.TableFormat;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.write.WrittenRows;
import dev.anemone.ndp.format.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that tasks have written get their names once, whichever attempts there were. */
class FileCommitTest {

  private static final RowType ROW = RowType.of(Field.nullable("n", SimpleType.INT64));
  private static final Schema SCHEMA = Schema.builder().addInt64Field("n").build();
  private static final AtomicBoolean HAS_FAILED = new AtomicBoolean();

  @TempDir private Path directory;
  private FileTarget target;
  private FileForm form;

  @BeforeEach
  void prepare() {
    target = FileTarget.ofPrefix(directory.resolve("part").toString());
    form =
        FileForm.of(
            new WrittenRows("o", ROW, ROW),
            TableFormat.text(new TextFormat("TDF")),
            target.hiddenDirectory(),
            QuerySpec.inSlot(PipelineOptionsFactory.create()));
  }

  @Test
  void aSecondAttemptFindsTheFilesMoved() throws Exception {
    List<String> written = List.of(file("1"), file("2"), file("3"));
    file("of an attempt that was killed");

    commit(written);
    List<String> once = contents();
    commit(written);

    assertThat(once).hasSize(3).anyMatch(each -> each.startsWith("part-00002-of-00003"));
    assertThat(contents()).isEqualTo(once);
  }

  /** The first attempt was killed between two files. */
  @Test
  void aSecondAttemptMovesTheOthers() throws Exception {
    List<String> written = Stream.of(file("1"), file("2"), file("3")).sorted().toList();
    Files.move(Path.of(written.get(0)), directory.resolve("part-00000-of-00003"));

    commit(written);

    assertThat(contents()).hasSize(3);
    assertThat(contents().stream().map(each -> each.substring(each.indexOf(' '))))
        .containsExactlyInAnyOrder(" 1", " 2", " 3");
  }

  @Test
  void aFileThatIsGoneIsAnError() throws Exception {
    List<String> written = List.of(file("1"), file("2"));
    Files.delete(Path.of(written.get(1)));

    assertThatThrownBy(() -> commit(written))
        .hasStackTraceContaining("of table o was written to " + form.directory() + " and is gone");
  }

  /** Each attempt writes a file of its own, and only that of the last one is named. */
  @Test
  void rowsOfATaskThatRunsTwiceAreThereOnce() throws Exception {
    HAS_FAILED.set(false);
    Pipeline pipeline = pipeline();
    PCollection<Row> rows =
        pipeline
            .apply(Create.of(List.of(1L, 2L, 3L)))
            .apply(MapElements.via(new FailsOnceFn()))
            .setRowSchema(SCHEMA);
    PCollectionList.of(rows)
        .apply(
            new FileWrite(
                FileWrite.ofRows(ROW),
                new WrittenRows("o", ROW, ROW),
                new TextFormat("TDF"),
                target,
                SCHEMA));
    pipeline.run().waitUntilFinish();

    assertThat(HAS_FAILED).isTrue();
    assertThat(contents().stream().flatMap(each -> Stream.of(each.split(" ", -1)[1].split("\r\n"))))
        .containsExactlyInAnyOrder("1", "2", "3");
    assertThat(directory).isDirectoryNotContaining("glob:**/.anemone-*");
  }

  private String file(String text) throws IOException {
    Path file = Files.createDirectories(Path.of(form.directory())).resolve(text);
    return Files.writeString(file, text).toString();
  }

  private static Pipeline pipeline() {
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--slots=2").create();
    return Pipeline.create(options);
  }

  private void commit(List<String> files) {
    Pipeline pipeline = pipeline();
    pipeline
        .apply(Create.of(files).withCoder(StringUtf8Coder.of()))
        .apply(new FileCommit(form, target, SCHEMA));
    pipeline.run().waitUntilFinish();
  }

  /** Each file with what is in it. */
  private List<String> contents() throws IOException {
    List<String> contents = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        contents.add(file.getFileName() + " " + Files.readString(file));
      }
    }
    return contents;
  }

  private static final class FailsOnceFn extends SimpleFunction<Long, Row> {

    private static final long serialVersionUID = 1;

    @Override
    public Row apply(Long number) {
      if (number == 3 && HAS_FAILED.compareAndSet(false, true)) {
        throw new IllegalStateException("as it is meant to");
      }
      return Row.withSchema(SCHEMA).addValue(number).build();
    }
  }
}
