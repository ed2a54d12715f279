// SPDX-License-Identifier: Apache-2.0
package dev.anemone.validation;

import dev.anemone.cluster.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has the pipelines of the suite run on a YARN cluster of this machine, where the system property
 * {@value #DIRECTORY} names a directory for it.
 */
public final class ClusterForTheSuite implements LauncherSessionListener {

  static final String DIRECTORY = "anemone.validates-runner.cluster";

  private static final int NODES = 2;

  private LocalCluster cluster;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String directory = System.getProperty(DIRECTORY);
    if (directory == null) {
      return;
    }
    try {
      Path files = Files.createTempDirectory(Files.createDirectories(Path.of(directory)), "suite");
      cluster = LocalCluster.start(LocalCluster.Settings.of(NODES, files));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.setProperty(
        "beamTestPipelineOptions",
        """
        ["--runner=NemoRunner", "--testTimeoutSeconds=120", "--optimizationPolicy=Default", \
        "--deployMode=yarn", "--hadoopConfDir=%s", "--executorMemoryMb=3072"]"""
            .formatted(cluster.configurationDirectory()));
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (cluster != null) {
      cluster.close();
    }
  }
}
