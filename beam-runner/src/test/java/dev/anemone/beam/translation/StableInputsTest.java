// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.nio.file.Path;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StableInputsTest {

  @TempDir Path directory;
  private final Pipeline pipeline = Pipeline.create();
  private final PCollection<String> lines = pipeline.apply("Lines", Create.of("a", "b"));

  @Test
  void aFileSinkNamesFilesOfAListThatStaysTheSame() {
    lines.apply("Write", TextIO.write().to(directory.resolve("out").toString()));

    IRDag dag = translate();
    IREdge names = only(dag.incoming(vertex(dag, "ParMultiDo(Finalize)").id()));
    assertThat(dag.vertex(names.from()).name()).endsWith("ParMultiDo(Finalize)/StableInput");
    assertThat(names.pattern()).isEqualTo(CommunicationPattern.ONE_TO_ONE);
  }

  @Test
  void theNamesOfWrittenFilesStayTheSameBeforeTheyAreSpread() {
    lines.apply("Write", TextIO.write().to(directory.resolve("out").toString()));

    IRDag dag = translate();
    assertThat(dag.edges())
        .filteredOn(e -> e.pattern() == CommunicationPattern.SHUFFLE)
        .filteredOn(e -> dag.vertex(e.to()).name().contains("Consolidate"))
        .isNotEmpty()
        .allMatch(e -> dag.vertex(e.from()).name().endsWith("/StableInput"));
  }

  @Test
  void listsThatASinkOfWindowsSpreadsStayTheSameBefore() {
    lines
        .apply("Windows", Window.into(FixedWindows.of(Duration.standardMinutes(1))))
        .apply(
            "Write",
            TextIO.write()
                .to(directory.resolve("out").toString())
                .withWindowedWrites()
                .withNumShards(2));

    assertSpreadBehindStableInput("ParMultiDo(Finalize)");
  }

  @Test
  void elementsThatAreReshuffledForAStepStayTheSameBefore() {
    lines.apply(Reshuffle.viaRandomKey()).apply("Send", ParDo.of(new Send()));

    assertSpreadBehindStableInput("ParMultiDo(Send)");
  }

  @Test
  void whatNoStepNeedsStableIsNotKept() {
    lines.apply(Reshuffle.viaRandomKey()).apply("Print", ParDo.of(new Print()));

    assertThat(translate().vertices()).noneMatch(v -> v.name().endsWith("/StableInput"));
  }

  /** The step reads a spread of what is kept stable, straight. */
  private void assertSpreadBehindStableInput(String step) {
    IRDag dag = translate();
    IREdge read = only(dag.incoming(vertex(dag, step).id()));
    assertThat(read.pattern()).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    IREdge spread = only(dag.incoming(read.from()));
    assertThat(spread.pattern()).isEqualTo(CommunicationPattern.SHUFFLE);
    assertThat(dag.vertex(spread.from()).name()).endsWith("/StableInput");
    assertThat(dag.vertices()).noneMatch(v -> v.name().endsWith(step + "/StableInput"));
  }

  private static IRVertex vertex(IRDag dag, String nameEnd) {
    return only(dag.vertices().stream().filter(v -> v.name().endsWith(nameEnd)).toList());
  }

  private static <T> T only(List<T> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }

  private IRDag translate() {
    return PipelineTranslator.translate(pipeline, PipelineOptionsFactory.create(), 2).dag();
  }

  static final class Send extends DoFn<String, Void> {
    @RequiresStableInput
    @ProcessElement
    public void process() {}
  }

  static final class Print extends DoFn<String, Void> {
    @ProcessElement
    public void process() {}
  }
}
