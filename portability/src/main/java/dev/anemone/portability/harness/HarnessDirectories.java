// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.resource.ProcessDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.RemoteEnvironmentOptions;

/**
 * Where harnesses that are processes have their files. Each has a directory of its own, for what
 * the program has staged; the virtual environments in which they run are for all of this machine.
 *
 * @param parent of all of them
 */
record HarnessDirectories(Path parent) {

  /** By which a harness learns where virtual environments are. */
  static final String ENVIRONMENTS = "ANEMONE_PYTHON_ENVIRONMENTS";

  /** By which YARN names an application's directories on a node, and deletes them with it. */
  private static final String APPLICATION_DIRECTORIES = "LOCAL_DIRS";

  /**
   * Those below {@code --semi_persist_dir}; else on YARN those of the application on this node, and
   * in any other JVM those below {@code --tempDirectory}.
   *
   * @param variables of this process
   */
  static HarnessDirectories of(PipelineOptions options, Map<String, String> variables) {
    NemoPipelineOptions own = options.as(NemoPipelineOptions.class);
    String given = options.as(RemoteEnvironmentOptions.class).getSemiPersistDir();
    String ofApplication = variables.getOrDefault(APPLICATION_DIRECTORIES, "");
    if (given != null) {
      return new HarnessDirectories(Path.of(given).toAbsolutePath());
    }
    if (DeployMode.of(own) == DeployMode.YARN && !ofApplication.isEmpty()) {
      return new HarnessDirectories(Path.of(ofApplication.split(",", -1)[0]));
    }
    return new HarnessDirectories(Path.of(own.getTempDirectory()).toAbsolutePath());
  }

  /** Makes the directory of a harness, which the caller deletes. Those of dead JVMs go, too. */
  Path create() throws IOException {
    return ProcessDirectories.create(Files.createDirectories(parent), "anemone-harness-");
  }

  /** Where virtual environments are. */
  Path environments() {
    return parent.resolve("anemone-python-" + System.getProperty("user.name"));
  }
}
