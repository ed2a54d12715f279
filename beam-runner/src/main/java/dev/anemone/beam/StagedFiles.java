// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What Beam's option {@code --filesToStage} names: jars and directories that tasks on a cluster
 * need beside the program's own class path, such as drivers that are found by name.
 */
final class StagedFiles {

  private static final String OPTION = "filesToStage";

  private StagedFiles() {}

  /**
   * The files, with their absolute paths.
   *
   * @throws InvalidPipelineException when one is missing, or no jar; names it
   */
  static List<Path> of(PipelineOptions options) {
    List<String> named = options.as(NemoPipelineOptions.class).getFilesToStage();
    List<Path> files = new ArrayList<>();
    for (String name : named == null ? List.<String>of() : named) {
      Path file = OptionCheck.path(OPTION, name).toAbsolutePath();
      if (!Files.isDirectory(file) && !isArchive(file)) {
        throw new InvalidPipelineException(
            "--"
                + OPTION
                + " names "
                + name
                + ", which "
                + (Files.exists(file) ? "is no jar" : "is not there")
                + ". Name jars, or directories of classes and resources, which go to the class path"
                + " of all tasks.");
      }
      files.add(file);
    }
    return files;
  }

  private static boolean isArchive(Path file) {
    try (ZipFile archive = new ZipFile(file.toFile())) {
      return true;
    } catch (IOException e) {
      // Not there, not readable, or of another format: the caller says so.
      return false;
    }
  }
}
