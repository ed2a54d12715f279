// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.testing.PythonWithBeam;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.util.construction.External;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines of Java with a step of Python in their middle. */
@Tag("slow")
class PythonInJavaTest {

  /** Of Beam's tests: puts a text before each word. */
  private static final String PREFIX = "beam:transforms:xlang:test:prefix";

  private static final Schema TEXT = Schema.builder().addStringField("data").build();

  private static ServerProcess python;

  @BeforeEach
  void start() throws Exception {
    PythonWithBeam found = PythonWithBeam.find();
    if (python == null) {
      python = ServerProcess.expansion(found);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (python != null) {
      python.close();
    }
  }

  private static PCollection<String> expanded(
      PCollection<String> words, String urn, byte[] payload) {
    return words.apply(
        External.<PCollection<String>, String>of(urn, payload, python.endpoint())
            .withOutputCoder(StringUtf8Coder.of()));
  }

  /** Words that Python counts, and that are lost there if one of them is a c. */
  private static PCollection<String> countedByPython(PCollection<String> words) {
    return expanded(words, "anemone:test:counted", new byte[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Default", "SamplingLargeShuffleSkew"})
  void aStepOfPythonIsInTheMiddle(String policy) throws Exception {
    Pipeline pipeline = HarnessPipelines.create("--optimizationPolicy=" + policy);
    byte[] prefix = HarnessPipelines.payload(Row.withSchema(TEXT).addValue("0").build());
    PCollection<String> words = pipeline.apply(Create.of("a", "b", "a"));
    PCollection<KV<String, Long>> counts =
        expanded(words, PREFIX, prefix).apply(Count.perElement());
    PAssert.that(counts).containsInAnyOrder(List.of(KV.of("0a", 2L), KV.of("0b", 1L)));

    assertThat(pipeline.run().getState()).isEqualTo(PipelineResult.State.DONE);
  }

  @Test
  void metricsOfBothComeBack() {
    Pipeline pipeline = HarnessPipelines.create();
    PCollection<String> words =
        pipeline.apply(Create.of("a", "b", "a")).apply(ParDo.of(new HarnessPipelines.InHarness()));
    countedByPython(words);

    PipelineResult result = pipeline.run();

    assertThat(HarnessPipelines.counter(result, "words of Python")).hasValue(3L);
    assertThat(HarnessPipelines.counter(result, HarnessPipelines.IN_HARNESS)).hasValue(3L);
  }

  @Test
  void thePythonTracebackIsTheCause() {
    Pipeline pipeline = HarnessPipelines.create();
    countedByPython(pipeline.apply(Create.of("a", "c")));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(PipelineExecutionException.class)
        .cause()
        .hasMessageContaining("ValueError: no c please")
        .hasMessageContaining("in refuse_c");
  }

  @Test
  void oneWhoDoesNotWaitSeesTheFailureInTheResult() {
    Pipeline pipeline = HarnessPipelines.create("--blockOnRun=false");
    countedByPython(pipeline.apply(Create.of("a", "c")));

    PipelineResult result = pipeline.run();

    assertThatThrownBy(result::waitUntilFinish)
        .isInstanceOf(PipelineExecutionException.class)
        .hasMessageContaining("ValueError: no c please");
    assertThat(result.getState()).isEqualTo(PipelineResult.State.FAILED);
  }
}
