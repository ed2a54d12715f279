// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.FlatMapElements;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.util.MimeTypes;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that leave data for others in a pool. */
@Tag("slow")
class PoolFilesOfPipelinesTest {

  private static final int LINES = 400;

  @TempDir Path directory;

  private ServerOfAPool pool;

  @BeforeEach
  void start() throws IOException {
    pool = ServerOfAPool.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    pool.close();
  }

  private Pipeline pipeline() {
    return Pipeline.create(pool.options("--runner=NemoRunner"));
  }

  private List<String> names(String pattern) throws IOException {
    FileSystems.setDefaultPipelineOptions(pool.options());
    return FileSystems.match(pattern).metadata().stream()
        .map(Metadata::resourceId)
        .map(Object::toString)
        .sorted()
        .toList();
  }

  private static String text(String file) {
    try (var in =
        Channels.newInputStream(FileSystems.open(FileSystems.matchNewResource(file, false)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The input is from another process that has ended, the output is read by a second pipeline. */
  @Test
  void wordsAreCountedFromPoolToPool() throws Exception {
    Process writer = startWriter("pool:///in/lines.txt");
    assertThat(writer.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(writer.exitValue()).isZero();

    Pipeline count = pipeline();
    count
        .apply(TextIO.read().from("pool:///in/*.txt"))
        .apply(
            FlatMapElements.into(TypeDescriptors.strings())
                .via(line -> List.of(line.split(" ", -1))))
        .apply(Count.perElement())
        .apply(
            MapElements.into(TypeDescriptors.strings())
                .via(word -> word.getKey() + ": " + word.getValue()))
        .apply(TextIO.write().to("pool:///out/counts").withNumShards(3));
    count.run().waitUntilFinish();
    assertThat(names("pool:///**"))
        .as("no temporary files are left")
        .containsExactly(
            "pool:///in/lines.txt",
            "pool:///out/counts-00000-of-00003",
            "pool:///out/counts-00001-of-00003",
            "pool:///out/counts-00002-of-00003");

    Pipeline later = pipeline();
    PAssert.that(later.apply(TextIO.read().from("pool://" + pool.address() + "/out/counts-*")))
        .containsInAnyOrder("even: " + LINES / 2, "odd: " + LINES / 2, "line: " + LINES);
    later.run().waitUntilFinish();
    assertThat(text("pool:///out/counts-00000-of-00003")).endsWith("\n");
  }

  private Process startWriter(String file) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                file));
    command.addAll(List.of(pool.arguments()));
    return new ProcessBuilder(command).inheritIO().start();
  }

  /** A program that writes lines to a file, and ends. */
  public static final class Writer {

    private Writer() {}

    /** Arguments: the file, and options. */
    public static void main(String[] args) throws IOException {
      String[] options = List.of(args).subList(1, args.length).toArray(String[]::new);
      FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.fromArgs(options).create());
      try (var out =
          Channels.newOutputStream(
              FileSystems.create(FileSystems.matchNewResource(args[0], false), MimeTypes.TEXT))) {
        for (int i = 0; i < LINES; i++) {
          out.write(((i % 2 == 0 ? "even" : "odd") + " line\n").getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }
}
