// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.List;
import org.apache.beam.sdk.io.FileSystem;
import org.apache.beam.sdk.io.FileSystemRegistrar;
import org.apache.beam.sdk.options.PipelineOptions;

/** Lets Beam know the scheme {@code pool}. */
public final class PoolFileSystems implements FileSystemRegistrar {

  /** Beam calls this. */
  public PoolFileSystems() {}

  @Override
  public Iterable<FileSystem<?>> fromOptions(PipelineOptions options) {
    return List.of(
        new PoolFileSystem(
            PoolSettings.of(options.as(NemoPipelineOptions.class)), OpenPools.SHARED));
  }
}
