// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.LoggedJob;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Event logs in directories. */
public final class JobLog {

  private JobLog() {}

  /** Reads the only log in a directory; fails if there is none, or another one. */
  public static JobModel only(Path directory) throws IOException {
    List<Path> logs = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jsonl")) {
      found.forEach(logs::add);
    }
    if (logs.size() != 1) {
      throw new ExperimentFailure(
          "There are %d event logs in %s, and there should be one.", logs.size(), directory);
    }
    Path log = logs.get(0);
    return LoggedJob.read(log.getFileName().toString(), Files.newInputStream(log));
  }
}
