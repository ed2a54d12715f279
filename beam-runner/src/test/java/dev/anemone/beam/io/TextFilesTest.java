// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.io;

import static dev.anemone.beam.io.NemoPipelines.files;
import static dev.anemone.beam.io.NemoPipelines.lines;
import static dev.anemone.beam.io.NemoPipelines.pipeline;
import static dev.anemone.beam.io.NemoPipelines.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.io.NemoPipelines.FailAtFn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.Compression;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Contextful;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Watch;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TextIO and FileIO. */
class TextFilesTest {

  @TempDir private Path directory;

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"UNCOMPRESSED", "GZIP", "BZIP2", "ZSTD", "DEFLATE"})
  void whatIsWrittenCompressedIsReadBackByAGlob(Compression compression) throws IOException {
    Pipeline writing = pipeline();
    writing
        .apply(Create.of("one", "two", "three"))
        .apply(
            TextIO.write()
                .to(path("numbers"))
                .withNumShards(2)
                .withCompression(compression)
                .withHeader("begin")
                .withFooter("end"));
    run(writing);
    assertThat(files(directory))
        .hasSize(2)
        .allMatch(name -> name.endsWith(compression.getSuggestedSuffix()));

    Pipeline reading = pipeline();
    PAssert.that(reading.apply(TextIO.read().from(path("numbers*"))))
        .containsInAnyOrder("begin", "begin", "one", "two", "three", "end", "end");
    run(reading);
  }

  @Test
  void recordsMayBeDelimitedByAnything() throws IOException {
    Files.writeString(directory.resolve("records"), "a\nb||c||");
    Pipeline pipeline = pipeline();
    PAssert.that(
            pipeline.apply(
                TextIO.read()
                    .from(path("records"))
                    .withDelimiter("||".getBytes(StandardCharsets.UTF_8))))
        .containsInAnyOrder("a\nb", "c");
    run(pipeline);
  }

  @Test
  void filesThatAreNotThereAreAnErrorUnlessAllowed() throws IOException {
    Files.writeString(directory.resolve("there"), "x\n");
    Pipeline strict = pipeline();
    strict.apply(TextIO.read().from(path("nothing*.txt")));
    assertThatThrownBy(() -> run(strict)).hasStackTraceContaining("nothing*.txt");

    Pipeline lenient = pipeline();
    PAssert.that(
            lenient
                .apply(Create.of(path("nothing*.txt"), path("th*")))
                .apply(FileIO.matchAll().withEmptyMatchTreatment(EmptyMatchTreatment.ALLOW))
                .apply(FileIO.readMatches())
                .apply(TextIO.readFiles()))
        .containsInAnyOrder("x");
    run(lenient);
  }

  @Test
  void elementsGoToTheFilesOfTheirDestinations() throws IOException {
    Pipeline pipeline = pipeline();
    pipeline
        .apply(Create.of("apple", "avocado", "banana", "cherry"))
        .apply(
            FileIO.<String, String>writeDynamic()
                .by(fruit -> fruit.substring(0, 1))
                .via(Contextful.fn(fruit -> fruit.toUpperCase(Locale.ROOT)), TextIO.sink())
                .to(directory.toString())
                .withDestinationCoder(StringUtf8Coder.of())
                .withNumShards(1)
                .withNaming(letter -> FileIO.Write.defaultNaming("fruit-" + letter, ".txt")));
    run(pipeline);
    assertThat(files(directory))
        .containsExactly(
            "fruit-a-00000-of-00001.txt",
            "fruit-b-00000-of-00001.txt",
            "fruit-c-00000-of-00001.txt");
    assertThat(lines(directory, "fruit-a")).containsExactly("APPLE", "AVOCADO");
    assertThat(lines(directory, "fruit-c")).containsExactly("CHERRY");
  }

  @Test
  void aFailingPipelineLeavesNoFileOfTextIo() throws IOException {
    Pipeline pipeline = pipeline();
    pipeline
        .apply(Create.of("good", "bad", "fine"))
        .apply(ParDo.of(new FailAtFn("bad")))
        .apply(TextIO.write().to(path("final")));
    assertThatThrownBy(() -> run(pipeline)).hasStackTraceContaining("planned failure at bad");
    assertThat(files(directory)).noneMatch(name -> name.startsWith("final"));
  }

  @Test
  void aFailingPipelineLeavesNoFileOfFileIo() throws IOException {
    Pipeline pipeline = pipeline();
    pipeline
        .apply(Create.of("good", "bad", "fine"))
        .apply(ParDo.of(new FailAtFn("bad")))
        .apply(
            FileIO.<String>write().via(TextIO.sink()).to(directory.toString()).withPrefix("final"));
    assertThatThrownBy(() -> run(pipeline)).hasStackTraceContaining("planned failure at bad");
    assertThat(files(directory)).noneMatch(name -> name.startsWith("final"));
  }

  @Test
  void watchingForNewFilesIsRefused() {
    Pipeline pipeline = pipeline();
    pipeline.apply(
        TextIO.read()
            .from(path("*"))
            .watchForNewFiles(Duration.standardSeconds(1), Watch.Growth.never()));
    assertThatThrownBy(() -> run(pipeline)).hasMessageContaining("unbounded");
  }

  @Test
  void aFileWithoutLinesHasNoElements() throws IOException {
    Files.write(directory.resolve("empty"), List.of());
    Pipeline pipeline = pipeline();
    PAssert.that(pipeline.apply(TextIO.read().from(path("empty")))).empty();
    run(pipeline);
  }
}
