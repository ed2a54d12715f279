// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.io.hdfs.HadoopFileSystemOptions;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.StreamingOptions;
import org.junit.jupiter.api.Test;

class NemoRunnerRegistrarTest {

  /** As Beam's Flink runner declares them; it is not on the class path. */
  public interface FlinkLikeOptions extends PipelineOptions {

    @Default.Integer(-1)
    Integer getParallelism();

    void setParallelism(Integer parallelism);

    @Default.Integer(-1)
    Integer getMaxParallelism();

    void setMaxParallelism(Integer maxParallelism);
  }

  @Test
  void beamFindsTheRunnerByItsSimpleName() {
    PipelineOptions options = PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create();

    assertThat(PipelineRunner.fromOptions(options)).isInstanceOf(NemoRunner.class);
  }

  @Test
  void beamKnowsTheOptions() {
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--optimizationPolicy=BasicPush")
            .withValidation()
            .create()
            .as(NemoPipelineOptions.class);

    assertThat(options.getOptimizationPolicy()).isEqualTo("BasicPush");
  }

  @Test
  void theOptionsCanBeUsedBesideThoseOfTheFlinkRunner() {
    FlinkLikeOptions options =
        PipelineOptionsFactory.fromArgs("--parallelism=3").as(FlinkLikeOptions.class);

    assertThat(options.as(NemoPipelineOptions.class).getParallelism()).isEqualTo(3);
  }

  @Test
  void optionsAreRegisteredWithThoseOfOthersTheSmallestFirst() {
    List<Class<? extends PipelineOptions>> options = new ArrayList<>();
    new NemoRunnerRegistrar.Options().getPipelineOptions().forEach(options::add);

    assertThat(options)
        .contains(StreamingOptions.class, HadoopFileSystemOptions.class)
        .doesNotHaveDuplicates()
        .endsWith(NemoPipelineOptions.class)
        .isSortedAccordingTo((a, b) -> a.getMethods().length - b.getMethods().length);
  }
}
