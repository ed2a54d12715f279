// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.view;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.beam.options.ViewOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * How a job is to be shown.
 *
 * @param page whether it has a page while it runs
 * @param port where the page is, or at one after it that is free; empty for the first that is free
 * @param host name or address at which the page's server listens
 * @param report file for the page after the job's end; empty for none
 */
public record ViewSettings(
    boolean page, Optional<Integer> port, String host, Optional<Path> report) {

  private static final int MOST_PORTS = 0xffff;

  public ViewSettings {
    Objects.requireNonNull(port, "port");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(report, "report");
  }

  /**
   * The settings that options ask for.
   *
   * @param isWatched whether somebody sits at a terminal
   * @throws InvalidPipelineException when an option has a bad value; names it
   */
  public static ViewSettings of(ViewOptions options, boolean isWatched) {
    Optional<Path> report = Optional.ofNullable(options.getReport()).map(file -> reportFile(file));
    return switch (options.getUi()) {
      case "off" -> new ViewSettings(false, Optional.empty(), options.getUiHost(), report);
      case "auto" -> new ViewSettings(isWatched, Optional.empty(), options.getUiHost(), report);
      default ->
          new ViewSettings(true, Optional.of(port(options.getUi())), options.getUiHost(), report);
    };
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port <= MOST_PORTS) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new InvalidPipelineException(
        "--ui=" + text + " is not known. Use auto, off, or a port from 1 to " + MOST_PORTS + ".");
  }

  private static Path reportFile(String file) {
    Path path = OptionCheck.path("report", file).toAbsolutePath();
    Path directory = path.getParent();
    if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new InvalidPipelineException(
          "--report="
              + file
              + " cannot be written: "
              + directory
              + " is no directory that this user can write to. Name a file in one that is.");
    }
    if (Files.isDirectory(path)) {
      throw new InvalidPipelineException(
          "--report=" + file + " is a directory. Name a file, such as " + file + "/job.html.");
    }
    return path;
  }

  /**
   * What shows the job.
   *
   * @param loader where a {@link JobViewer} is looked for
   * @return empty when nobody wants to see it
   * @throws InvalidPipelineException when somebody does, and nothing on the class path can
   */
  public Optional<JobView> open(ClassLoader loader) {
    if (!page && report.isEmpty()) {
      return Optional.empty();
    }
    Optional<JobViewer> viewer = ServiceLoader.load(JobViewer.class, loader).findFirst();
    if (viewer.isPresent()) {
      return Optional.of(viewer.get().open(this));
    }
    if (report.isEmpty() && port.isEmpty()) {
      return Optional.empty();
    }
    throw new InvalidPipelineException(
        (report.isPresent() ? "--report" : "--ui")
            + " needs the page, which is not on the class path. Add dev.anemone:anemone-ui to the"
            + " program, or leave the option out.");
  }
}
