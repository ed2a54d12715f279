// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;

/** A program whose costs are known: it is measured by the tests. */
final class BusyProgram {
  private static final int PAGE_BYTES = 4096;

  private BusyProgram() {}

  /**
   * Uses a processor, then memory, and exits.
   *
   * @param arguments milliseconds of processor time, MB of memory, and the exit code; a negative
   *     one means that the program never ends
   */
  public static void main(String[] arguments) throws InterruptedException {
    useProcessor(Long.parseLong(arguments[0]));
    System.out.println("touched " + touchMegabytes(Integer.parseInt(arguments[1])) + " pages");
    int exitCode = Integer.parseInt(arguments[2]);
    if (exitCode < 0) {
      new CountDownLatch(1).await();
    }
    System.exit(exitCode);
  }

  private static void useProcessor(long milliseconds) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadUserTime() + milliseconds * 1_000_000;
    double value = 1;
    while (threads.getCurrentThreadUserTime() < end) {
      for (int i = 0; i < 100_000; i++) {
        value = Math.sqrt(value + i);
      }
    }
    System.out.println("computed " + value);
  }

  private static int touchMegabytes(int megabytes) {
    byte[] memory = new byte[megabytes << 20];
    int pages = 0;
    for (int position = 0; position < memory.length; position += PAGE_BYTES) {
      memory[position] = 1;
      pages += memory[position];
    }
    return pages;
  }
}
