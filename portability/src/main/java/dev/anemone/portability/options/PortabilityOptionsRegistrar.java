// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.options;

import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;

/** Makes the options known to Beam, and so to the programs that ask the job server for them. */
public final class PortabilityOptionsRegistrar implements PipelineOptionsRegistrar {

  @Override
  public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
    return List.of(PortabilityOptions.class);
  }
}
