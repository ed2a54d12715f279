// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplanationTest {

  private final PrintStream standardOutput = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @TempDir Path directory;

  @BeforeEach
  void captureOutput() {
    System.setOut(new PrintStream(printed, true, UTF_8));
  }

  @AfterEach
  void restoreOutput() {
    System.setOut(standardOutput);
  }

  @Test
  void explainOnlyPrintsThePlanAfterEachPassAndRunsNothing() {
    State state = explain("--explainOnly=true", "--explain=text");

    assertThat(state).isEqualTo(State.DONE);
    assertThat(printed.toString(UTF_8))
        .startsWith("== Default: the program")
        .contains("Default/CombinerLifting: changed")
        .contains("+ combiner ")
        .contains("== Default: the result");
  }

  @Test
  void withoutAFormatThePlanIsATreeWithTheDecisions() {
    explain("--explainOnly=true");

    assertThat(printed.toString(UTF_8))
        .startsWith("Default: ")
        .contains("+- SHUFFLE by key, pulled, local file", "combiner", "Decisions:")
        .contains("  CombinerLifting: 2 added, 0 removed, 2 changed");
    assertThat(printed.toString(UTF_8).lines()).allMatch(line -> line.length() < 100);
  }

  @Test
  void aPictureNeedsWhatDrawsIt() {
    assertThatThrownBy(() -> explain("--explainOnly=true", "--explain=svg"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Add dev.anemone:anemone-ui to the program");
  }

  @ParameterizedTest
  @CsvSource({"text,== Default", "json,{", "dot,//"})
  void plansArePrintedInTheFormatThatIsAskedFor(String format, String start) {
    explain("--explainOnly=true", "--explain=" + format);

    assertThat(printed.toString(UTF_8)).startsWith(start);
  }

  @Test
  void theDagDirectoryGetsThePlanBeforeAndAfterEachPass() throws IOException {
    Path plans = directory.resolve("plans");

    explain("--explainOnly=true", "--dagDirectory=" + plans);

    try (Stream<Path> files = Files.list(plans)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      assertThat(names)
          .contains("00-input.json", "00-input.dot")
          .anyMatch(name -> name.endsWith("-Default-CombinerLifting.json"));
    }
    assertThat(plans.resolve("00-input.json")).content().contains("FailsWhenItRuns");
  }

  @Test
  void aDagDirectoryThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(
            () -> explain("--explainOnly=true", "--dagDirectory=" + file.resolve("plans")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--dagDirectory=" + file)
        .hasMessageContaining("Name a local directory");
  }

  private static State explain(String... arguments) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    Stream.concat(Stream.of("--runner=NemoRunner"), Stream.of(arguments))
                        .toArray(String[]::new))
                .create());
    pipeline
        .apply(Create.of("a", "b"))
        .apply("Fail", ParDo.of(new FailsWhenItRuns()))
        .apply(Count.perElement());
    return pipeline.run().waitUntilFinish();
  }

  private static final class FailsWhenItRuns extends DoFn<String, String> {

    @ProcessElement
    public void fail() {
      throw new IllegalStateException("this pipeline must not run");
    }
  }
}
