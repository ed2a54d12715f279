// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.ColumnarOptions;
import dev.anemone.beam.options.NdpOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.SqlPlannerOptions;
import java.util.List;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.FileStagingOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.apache.beam.sdk.runners.PipelineRunnerRegistrar;

/** Makes {@code --runner=NemoRunner} and its options known to Beam. */
public final class NemoRunnerRegistrar {

  private NemoRunnerRegistrar() {}

  /** Registers {@link NemoRunner}. */
  public static final class Runner implements PipelineRunnerRegistrar {

    @Override
    public Iterable<Class<? extends PipelineRunner<?>>> getPipelineRunners() {
      return List.of(NemoRunner.class);
    }
  }

  /**
   * Registers the options of the runner, of SQL and of near-data processing, and Beam's option for
   * files that go to the workers.
   */
  public static final class Options implements PipelineOptionsRegistrar {

    @Override
    public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
      return List.of(
          NemoPipelineOptions.class,
          SqlPlannerOptions.class,
          ColumnarOptions.class,
          NdpOptions.class,
          FileStagingOptions.class);
    }
  }
}
