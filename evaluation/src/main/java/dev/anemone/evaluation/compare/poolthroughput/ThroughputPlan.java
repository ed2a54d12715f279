// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is measured.
 *
 * @param directory for logs and figures; made if missing
 * @param classPath with the programs
 * @param jvmOptions of both processes
 * @param pmem directory of the memory that is persistent
 * @param sizes of an operation in bytes
 * @param threads of the client
 * @param window operations that a thread has under way
 * @param runs rounds in which every side has its turn for each figure
 * @param millis how long operations are begun for a figure
 * @param perftest UCX's own program, if it is measured too
 */
record ThroughputPlan(
    Path directory,
    String classPath,
    List<String> jvmOptions,
    Path pmem,
    List<Integer> sizes,
    List<Integer> threads,
    int window,
    int runs,
    long millis,
    Optional<Path> perftest) {

  int mostThreads() {
    return threads.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }
}
