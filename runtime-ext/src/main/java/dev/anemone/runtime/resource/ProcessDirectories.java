// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of processes below one that many processes share, as that for temporary files. A
 * process deletes its own when it ends; one that is killed cannot, so the next one that makes a
 * directory there deletes those of dead processes.
 *
 * <p>A name says where the process runs (machine and, on Linux, namespace of process ids), its id
 * and when it started, as ids come again. What does not say so, or comes from elsewhere, or is
 * another user's, is left alone.
 */
public final class ProcessDirectories {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectories.class);

  private static final Pattern NAME =
      Pattern.compile("anemone-(?:[a-z]+-)?at([0-9a-f]+)-(\\d+)-(\\d+)-\\d+");

  /** Clocks are set, and an operating system counts from when it was started. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  private ProcessDirectories() {}

  /**
   * Makes a directory for this process, which deletes it, and deletes those of dead processes.
   *
   * @param parent a directory that is there
   * @param prefix {@code anemone-}, or with a word of small letters {@code anemone-word-}
   */
  public static Path create(Path parent, String prefix) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    String name =
        self.info()
            .startInstant()
            .map(start -> prefix + owner(self.pid(), start))
            // Nobody will be able to tell whose it is.
            .orElse(prefix);
    Path own = Files.createTempDirectory(parent, name);
    sweep(parent, Files.getOwner(own));
    return own;
  }

  /** The part of a name that says whose a directory is; a number comes behind it. */
  static String owner(long pid, Instant start) {
    return "at" + place() + "-" + pid + "-" + start.toEpochMilli() + "-";
  }

  private static String place() {
    return Integer.toHexString((host() + " " + processNamespace()).hashCode());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "a machine without a name";
    }
  }

  private static String processNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "the only one";
    }
  }

  private static void sweep(Path parent, UserPrincipal user) throws IOException {
    try (DirectoryStream<Path> children =
        Files.newDirectoryStream(
            parent, child -> Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS))) {
      for (Path child : children) {
        if (isOfDeadProcess(child.getFileName().toString())) {
          delete(child, user);
        }
      }
    }
  }

  private static boolean isOfDeadProcess(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches() || !matcher.group(1).equals(place())) {
      return false;
    }
    Optional<ProcessHandle> process;
    Instant start;
    try {
      process = ProcessHandle.of(Long.parseLong(matcher.group(2)));
      start = Instant.ofEpochMilli(Long.parseLong(matcher.group(3)));
    } catch (NumberFormatException e) {
      return false;
    }
    if (process.isEmpty()) {
      return true;
    }
    Optional<Instant> other = process.get().info().startInstant();
    return other.isPresent() && Duration.between(start, other.get()).abs().compareTo(TOLERANCE) > 0;
  }

  /** What cannot be deleted is in nobody's way: the process starts all the same. */
  private static void delete(Path directory, UserPrincipal user) {
    try {
      if (Files.getOwner(directory).equals(user)) {
        FileTrees.delete(directory);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("Another process has deleted {}", directory);
    } catch (IOException e) {
      LOG.warn("{}, of a process that is dead, cannot be deleted", directory, e);
    }
  }
}
