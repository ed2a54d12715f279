// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Stops processes, and lets them go on. */
public final class Signals {

  private Signals() {}

  /** Keeps a process from running; none of its threads does when this returns. */
  public static void stop(Process process) throws IOException, InterruptedException {
    send("-STOP", process);
    // A thread that runs serves peers until the signal has reached it.
    Await.until("all threads of the process are stopped", () -> isStopped(process));
  }

  /** Lets it run again. */
  public static void goOn(Process process) throws IOException, InterruptedException {
    send("-CONT", process);
  }

  private static void send(String signal, Process process)
      throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("the process does not take " + signal);
    }
  }

  private static boolean isStopped(Process process) {
    try (Stream<Path> threads =
        Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      return threads.allMatch(Signals::isThreadStopped);
    } catch (IOException e) {
      throw new AssertionError("this test needs /proc", e);
    }
  }

  private static boolean isThreadStopped(Path thread) {
    try {
      return Files.readString(thread.resolve("status")).contains("State:\tT");
    } catch (IOException e) {
      // It has ended in the meantime.
      return true;
    }
  }
}
