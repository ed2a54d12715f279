// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.resource.ProcessDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.options.PipelineOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory in which the engines of a process, and what reads answers of proxies, keep what
 * their memory has no room for. It goes with the process; where that was killed, the next one that
 * makes a directory there deletes it.
 */
public final class EngineDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(EngineDirectory.class);

  private static final Map<Path, Path> DIRECTORIES = new ConcurrentHashMap<>();

  private EngineDirectory() {}

  /**
   * Where to make it: in {@code --tempDirectory}, or empty for the process' own directory for
   * temporary files, as on YARN, where that is one of the node's.
   */
  public static String parent(PipelineOptions options) {
    NemoPipelineOptions nemo = options.as(NemoPipelineOptions.class);
    return DeployMode.of(nemo) == DeployMode.LOCAL ? nemo.getTempDirectory() : "";
  }

  /**
   * That of this process, which is made by the first call. Thread-safe.
   *
   * @param parent as {@link #parent} says
   * @throws UncheckedIOException when it cannot be made
   */
  public static Path of(String parent) {
    String given = parent.isEmpty() ? System.getProperty("java.io.tmpdir") : parent;
    return DIRECTORIES.computeIfAbsent(
        Path.of(given).toAbsolutePath().normalize(), EngineDirectory::create);
  }

  private static Path create(Path parent) {
    try {
      Files.createDirectories(parent);
      Path directory = ProcessDirectories.create(parent, "anemone-engine-");
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> delete(directory), "anemone-engine-shutdown"));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot make a directory for the files of queries in " + parent, e);
    }
  }

  private static void delete(Path directory) {
    try {
      FileTrees.delete(directory);
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be deleted; the next process that uses {} does it",
          directory,
          directory.getParent(),
          e);
    }
  }
}
