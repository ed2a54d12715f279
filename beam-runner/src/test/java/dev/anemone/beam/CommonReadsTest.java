// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Filter;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.joda.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal reads of a real pipeline, whose steps have different names. */
class CommonReadsTest {

  private static final int LINES = 40_000;

  @TempDir private Path directory;

  private Path file;
  private Pipeline pipeline;

  @BeforeEach
  void writeFile() throws IOException {
    file = directory.resolve("lines.txt");
    try (var out = Files.newBufferedWriter(file, UTF_8)) {
      for (int i = 0; i < LINES; i++) {
        out.write("a line of about forty bytes, number " + i);
        out.newLine();
      }
    }
    pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=NemoRunner", "--dagDirectory=" + directory.resolve("plans"))
                .create());
  }

  @Test
  void areDoneOnceAndSoAreTheirWindows() throws IOException {
    Window<String> minutes = Window.into(FixedWindows.of(Duration.standardMinutes(1)));
    PCollection<String> all = lines("All").apply("AllInMinutes", minutes);
    PCollection<String> some =
        lines("Some")
            .apply("SomeInMinutes", minutes)
            .apply(Filter.by((String line) -> line.endsWith("7")));
    PAssert.that(count("CountAll", all)).containsInAnyOrder((long) LINES);
    PAssert.that(count("CountSome", some)).containsInAnyOrder(LINES / 10L);

    assertThat(pipeline.run().waitUntilFinish()).isEqualTo(State.DONE);

    assertThat(planned()).contains("\"All/Read\"", "\"AllInMinutes/").doesNotContain("\"Some/Read");
    assertThat(planned()).doesNotContain("\"SomeInMinutes/");
  }

  @Test
  void areDoneTwiceWhereOneWaitsForWhatCameOfTheOther() throws IOException {
    PCollection<Long> total = lines("All").apply(Count.globally());
    PCollection<String> some =
        lines("Some").apply(new LinesBefore(total.apply(View.asSingleton())));
    PAssert.that(some.apply("CountSome", Count.globally())).containsInAnyOrder((long) LINES);

    assertThat(pipeline.run().waitUntilFinish()).isEqualTo(State.DONE);

    assertThat(planned()).contains("\"All/Read\"", "\"Some/Read\"");
  }

  private PCollection<String> lines(String name) {
    return pipeline.apply(name, TextIO.read().from(file.toString()));
  }

  private static PCollection<Long> count(String name, PCollection<String> lines) {
    return lines.apply(name, Combine.globally(Count.<String>combineFn()).withoutDefaults());
  }

  /** The last plan, as JSON. */
  private String planned() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("plans"))) {
      return Files.readString(
          files
              .filter(plan -> plan.toString().endsWith(".json"))
              .max(Path::compareTo)
              .orElseThrow());
    }
  }

  /** Keeps the lines whose number is below a total. */
  private static final class LinesBefore
      extends PTransform<PCollection<String>, PCollection<String>> {
    private static final long serialVersionUID = 1;

    private final PCollectionView<Long> total;

    LinesBefore(PCollectionView<Long> total) {
      this.total = total;
    }

    @Override
    public PCollection<String> expand(PCollection<String> lines) {
      return lines.apply(ParDo.of(new Compare()).withSideInputs(total));
    }

    private final class Compare extends DoFn<String, String> {
      private static final long serialVersionUID = 1;

      @ProcessElement
      public void compare(ProcessContext context) {
        String line = context.element();
        if (Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) < context.sideInput(total)) {
          context.output(line);
        }
      }
    }
  }
}
