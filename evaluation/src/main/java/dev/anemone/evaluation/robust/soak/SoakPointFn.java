// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.transforms.DoFn;

/**
 * Hands elements on. In the middle of its first bundles on any node it says that the job has begun,
 * by a file, and does what is asked for: fails or sleeps, as often as is asked for in the whole
 * job. All nodes are on one machine.
 */
final class SoakPointFn extends DoFn<String, String> {
  private static final long serialVersionUID = 1;

  /** The file that says that the job has begun. */
  static final String BEGUN = "begun";

  private static final int ELEMENT = 100;

  private final String directory;
  private final int failures;
  private final int sleeps;
  private final int sleepSeconds;
  private transient int elements;

  private SoakPointFn(String directory, int failures, int sleeps, int sleepSeconds) {
    this.directory = directory;
    this.failures = failures;
    this.sleeps = sleeps;
    this.sleepSeconds = sleepSeconds;
  }

  /**
   * A point for a fault.
   *
   * @param directory for files by which the job's containers agree; new for each job
   * @param sleepSeconds how long a slow task sleeps
   */
  static SoakPointFn of(SoakFault fault, Path directory, int sleepSeconds) {
    return new SoakPointFn(
        directory.toString(),
        fault == SoakFault.FAILING_CODE ? 2 : 0,
        fault == SoakFault.SLOW_TASK ? 1 : 0,
        sleepSeconds);
  }

  @StartBundle
  public void startBundle() {
    elements = 0;
  }

  @ProcessElement
  public void processElement(@Element String element, OutputReceiver<String> out)
      throws IOException, InterruptedException {
    out.output(element);
    elements++;
    if (elements == ELEMENT) {
      isFirst(BEGUN);
      for (int i = 0; i < failures; i++) {
        if (isFirst("failed-" + i)) {
          throw new IllegalStateException("injected failure " + i);
        }
      }
      for (int i = 0; i < sleeps; i++) {
        if (isFirst("slept-" + i)) {
          TimeUnit.SECONDS.sleep(sleepSeconds);
        }
      }
    }
  }

  private boolean isFirst(String file) throws IOException {
    try {
      Files.createFile(Path.of(directory, file));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }
}
