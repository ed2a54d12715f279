// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory of this machine over which a test and the containers of its job agree on a fault. The
 * containers learn of it by an environment variable. Who makes the file of a strike first, strikes.
 */
public record FaultDirectory(Path directory) {

  /** Has the directory's path, in containers. */
  public static final String VARIABLE = "ANEMONE_FAULTS";

  /**
   * More than tests wait for jobs: a task that is held for good does not save its job by failing.
   */
  private static final Duration HOLD_DEADLINE = Duration.ofMinutes(6);

  /** A busy machine takes minutes to start a cluster's first job. */
  static final Duration STRIKE_LIMIT = Duration.ofMinutes(5);

  private static final String PLAN = "plan";
  private static final String RELEASED = "released";
  private static final String STRIKE = "strike-";

  /** The one that this container was given. */
  static Optional<FaultDirectory> here() {
    return Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of).map(FaultDirectory::new);
  }

  /** Forgets what was, and lets a fault happen from now on. */
  public void arm(Fault fault) throws IOException {
    disarm();
    Path unfinished = directory.resolve(PLAN + ".unfinished");
    fault.write(unfinished);
    Files.move(unfinished, directory.resolve(PLAN), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Nothing happens from now on. */
  void disarm() throws IOException {
    // The plan first, or it would be followed again.
    Files.deleteIfExists(directory.resolve(PLAN));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  /** Waits until the fault has struck. */
  public void awaitStrike() throws InterruptedException {
    awaitStrikes(1);
  }

  /** Waits until the fault has struck as many tasks. */
  void awaitStrikes(int tasks) throws InterruptedException {
    Waiting.until(
        () -> strikes().size() >= tasks,
        STRIKE_LIMIT,
        () -> "not " + tasks + " tasks have come to the fault");
  }

  /** Lets the tasks that are held go on. */
  public void release() throws IOException {
    Files.createFile(directory.resolve(RELEASED));
  }

  /** Which tasks the fault has struck, each as {@code container stage task attempt}. */
  List<String> strikes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(STRIKE))
          .map(FaultDirectory::read)
          .filter(text -> text.endsWith("\n"))
          .map(String::strip)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Called in a task: does what is planned for this point, if anything.
   *
   * @param task says which attempt of which task it is
   */
  void reached(String point, String stage, String task) throws IOException, InterruptedException {
    Path plan = directory.resolve(PLAN);
    if (!Files.exists(plan)) {
      return;
    }
    Fault fault = Fault.read(plan);
    if (!fault.isAt(point, stage) || !strike(fault, stage + " " + task)) {
      return;
    }
    switch (fault.kind()) {
      case KILL -> killThisJvm();
      case HOLD -> awaitRelease();
      case FAIL -> throw new InjectedFailure("injected at " + point + " of " + stage);
    }
  }

  private boolean strike(Fault fault, String where) throws IOException {
    String text = System.getenv("CONTAINER_ID") + " " + where + "\n";
    for (int i = 0; i < fault.times(); i++) {
      try {
        Files.writeString(directory.resolve(STRIKE + i), text, StandardOpenOption.CREATE_NEW);
        return true;
      } catch (FileAlreadyExistsException e) {
        // Another task was first.
      }
    }
    return false;
  }

  private static void killThisJvm() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid()))
        .start()
        .waitFor();
    throw new IllegalStateException("this JVM has outlived its end");
  }

  private void awaitRelease() throws InterruptedException {
    Path released = directory.resolve(RELEASED);
    Waiting.until(() -> Files.exists(released), HOLD_DEADLINE, () -> "nobody made " + released);
  }

  /** What a task throws. */
  static final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    InjectedFailure(String message) {
      super(message);
    }
  }
}
