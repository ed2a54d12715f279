// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each of these is one paragraph that names the thing and the remedy, before anything runs. */
class BadInputTest {

  @TempDir Path directory;

  @Test
  void aMissingFileIsNamed() {
    Pipeline pipeline = pipeline();
    Path missing = directory.resolve("missing-*.txt");
    pipeline.apply("Lines", TextIO.read().from(missing.toString()));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Lines/Read")
        .hasMessageContaining("'" + missing + "', but no file matches")
        .hasMessageContaining("Give the path")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--optimizationPolicy=Defualt|Defualt|Default",
        "--passes=NoSuchPass|NoSuchPass|Known",
        "--passOptions=noSuchOption=1|noSuchOption|Known options",
        "--compression=rot13|rot13|lz4",
      })
  void anUnknownPolicyPassOrOptionListsTheKnownOnes(String argument, String names, String remedy) {
    Pipeline pipeline = pipeline(argument);
    pipeline.apply(Create.of(1));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(names)
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aFunctionThatCannotBeSerializedIsNamed() {
    Pipeline pipeline = pipeline();
    // Anonymous, so it drags this test along, which is not serializable.
    TupleTag<Integer> main = new TupleTag<>("main-numbers") {};
    pipeline
        .apply(Create.of(1))
        .apply("Copy", ParDo.of(new Copy()).withOutputTags(main, TupleTagList.empty()));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Step 'Copy'")
        .hasMessageContaining(BadInputTest.class.getName())
        .hasMessageContaining("Serializable")
        .hasMessageNotContaining("\n");
  }

  @Test
  void anOutputTagThatIsNamedLikeTheMainOutputIsRefused() {
    Pipeline pipeline = pipeline();
    pipeline
        .apply(Create.of(1))
        .apply("Copy", ParDo.of(new Copy()).withOutputTags(NUMBERS, TupleTagList.of(MAIN)));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Step 'Copy")
        .hasMessageContaining("another id");
  }

  @Test
  void anUnwritableOutputFailsThePipelineAndLeavesNoFile() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Pipeline pipeline = pipeline("--maxTaskAttempts=1");
    pipeline
        .apply(Create.of("a", "b"))
        .apply("Write", TextIO.write().to(file.resolve("out").toString()));

    assertThatThrownBy(() -> pipeline.run().waitUntilFinish())
        .isInstanceOf(Pipeline.PipelineExecutionException.class)
        .hasMessageContaining(file.toString());
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  private static final TupleTag<Integer> NUMBERS = new TupleTag<>("numbers") {};
  private static final TupleTag<Integer> MAIN = new TupleTag<>("main") {};

  private static Pipeline pipeline(String... arguments) {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(
                Stream.concat(Stream.of("--runner=NemoRunner"), Stream.of(arguments))
                    .toArray(String[]::new))
            .create());
  }

  private static final class Copy extends DoFn<Integer, Integer> {

    @ProcessElement
    public void copy(@Element Integer element, OutputReceiver<Integer> out) {
      out.output(element);
    }
  }
}
