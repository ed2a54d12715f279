// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

import dev.anemone.ui.model.JobModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Writes reports. Those of one program's jobs that are to have one name get numbers. */
public final class ReportFile {

  private static final Set<Path> WRITTEN = new HashSet<>();

  private ReportFile() {}

  /**
   * Writes the report of a job.
   *
   * @param wanted the file, absolute; one that was there before this JVM is replaced
   * @return where the report is: {@code wanted}, or for the second job of this JVM {@code
   *     job-2.html} instead of {@code job.html}
   */
  public static Path write(JobModel job, Path wanted) throws IOException {
    Path file = free(wanted);
    return Files.writeString(file, JobPage.report(job));
  }

  private static synchronized Path free(Path wanted) {
    String name = wanted.getFileName().toString();
    int dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length();
    Path file = wanted;
    for (int number = 2; !WRITTEN.add(file); number++) {
      file = wanted.resolveSibling(name.substring(0, dot) + "-" + number + name.substring(dot));
    }
    return file;
  }
}
