// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clocks of nodes, as their containers see them: libfaketime is loaded into each, and
 * reads again and again from a file of the node by how much its clock is wrong. What runs in this
 * JVM, as the nodes' daemons do, has the machine's clock.
 *
 * @param directory has the files, one for each host
 */
record NodeClocks(Path directory) {
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";
  private static final List<String> LIBRARY_DIRECTORIES = List.of("/usr/lib", "/usr/lib64");

  /** Left to the container's shell by its braces; YARN replaces others before a node is known. */
  private static final String HOST = "${NM_HOST}";

  private static final String RIGHT = "+0";

  /**
   * The library.
   *
   * @throws ExperimentFailure when this machine has none
   */
  static Path requireLibrary() throws IOException {
    return library()
        .orElseThrow(
            () ->
                new ExperimentFailure(
                    "the clock of a node needs %s below one of %s: apt-get install libfaketime",
                    LIBRARY, LIBRARY_DIRECTORIES));
  }

  /** The library, which lies in the directory of an architecture on some systems. */
  static Optional<Path> library() throws IOException {
    for (String directory : LIBRARY_DIRECTORIES) {
      Path parent = Path.of(directory);
      if (Files.isDirectory(parent)) {
        try (Stream<Path> children = Files.list(parent)) {
          Optional<Path> library =
              Stream.concat(Stream.of(parent), children)
                  .map(each -> each.resolve(LIBRARY))
                  .filter(Files::isReadable)
                  .findFirst();
          if (library.isPresent()) {
            return library;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Clocks that are right. */
  static NodeClocks of(Path directory, List<String> hosts) throws IOException {
    NodeClocks clocks = new NodeClocks(Files.createDirectories(directory));
    for (String host : hosts) {
      clocks.set(host, RIGHT);
    }
    return clocks;
  }

  /** Variables of containers that have the clock of their node in a directory. */
  static String environment(Path directory) throws IOException {
    return String.join(
        ",",
        "LD_PRELOAD=" + requireLibrary(),
        "FAKETIME_TIMESTAMP_FILE=" + directory.resolve(HOST),
        "FAKETIME_CACHE_DURATION=1",
        // What measures how long something takes goes on as it is, and so do times of files.
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        // With it, waits of a JVM that have an end in time end at once.
        "FAKETIME_FORCE_MONOTONIC_FIX=0",
        "NO_FAKE_STAT=1");
  }

  /** Lets the clock of a host jump, forward or, with a negative time, back. */
  void jump(String host, Duration by) throws IOException {
    set(host, String.format(Locale.ROOT, "%+d", by.toSeconds()));
  }

  /** Lets the clock of a host be right again. */
  void mend(String host) throws IOException {
    set(host, RIGHT);
  }

  /** Whoever reads the file sees it whole. */
  private void set(String host, String offset) throws IOException {
    Path written = Files.writeString(directory.resolve(host + ".new"), offset + "\n");
    Files.move(written, directory.resolve(host), StandardCopyOption.ATOMIC_MOVE);
  }
}
