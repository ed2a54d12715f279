// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often a right word count finds each word, and that it finds no other. Immutable. */
public record TrueCounts(Map<String, Long> counts) {
  private static final String SEPARATOR = ": ";
  private static final int DESCRIBED_DIFFERENCES = 3;

  public TrueCounts {
    counts = Map.copyOf(counts);
  }

  /** Reads counts, one line {@code word: count} per word. */
  public static TrueCounts read(Path file) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int separator = line.lastIndexOf(SEPARATOR);
        if (separator < 0) {
          throw new IOException(file + " has a line without a count: " + line);
        }
        counts.put(
            line.substring(0, separator),
            Long.valueOf(line.substring(separator + SEPARATOR.length())));
      }
    }
    return new TrueCounts(counts);
  }

  /** The counts of a text that is there several times. */
  public TrueCounts times(long factor) {
    Map<String, Long> multiplied = new HashMap<>(counts);
    multiplied.replaceAll((word, count) -> count * factor);
    return new TrueCounts(multiplied);
  }

  public long words() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  public int distinctWords() {
    return counts.size();
  }

  /** What is wrong with the shards of a result, which begin with a prefix; empty if nothing is. */
  public String differences(Path directory, String prefix) throws IOException {
    Comparison comparison = new Comparison();
    try (DirectoryStream<Path> shards =
        Files.newDirectoryStream(directory, prefix + "-?????-of-?????")) {
      for (Path shard : shards) {
        try (BufferedReader lines = Files.newBufferedReader(shard)) {
          lines.lines().forEach(comparison::accept);
        } catch (UncheckedIOException unreadable) {
          throw unreadable.getCause();
        }
      }
    }
    return comparison.finish();
  }

  private final class Comparison {
    private final Map<String, Long> awaited = new HashMap<>(counts);
    private final List<String> described = new ArrayList<>();
    private long differences;

    void accept(String line) {
      int separator = line.lastIndexOf(SEPARATOR);
      if (separator < 0) {
        differs("the line '" + line + "' has no count");
        return;
      }
      String word = line.substring(0, separator);
      String found = line.substring(separator + SEPARATOR.length());
      Long expected = awaited.remove(word);
      if (expected != null) {
        if (!found.equals(expected.toString())) {
          differs("'" + word + "' occurs " + expected + " times, not " + found);
        }
      } else if (counts.containsKey(word)) {
        differs("'" + word + "' has more than one line");
      } else {
        differs("'" + word + "' does not occur");
      }
    }

    String finish() {
      awaited.forEach((word, count) -> differs("'" + word + "' is missing"));
      if (differences == 0) {
        return "";
      }
      String more = differences > described.size() ? " ..." : "";
      return differences + " differences: " + String.join(", ", described) + more;
    }

    private void differs(String description) {
      differences++;
      if (described.size() < DESCRIBED_DIFFERENCES) {
        described.add(description);
      }
    }
  }
}
