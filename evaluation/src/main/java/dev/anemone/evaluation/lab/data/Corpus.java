// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import dev.anemone.examples.wordcount.CorpusGenerator;
import dev.anemone.runtime.resource.FileTrees;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** A text of words and single separators, and its true counts, lines {@code word: count}. */
public record Corpus(Path text, Path counts) {
  /** The corpus of these parameters, in a directory; both are made if they are missing. */
  public static Corpus of(Path directory, long bytes, int distinctWords, long seed)
      throws IOException {
    Files.createDirectories(directory);
    String name = String.format(Locale.ROOT, "words-%d-%d-%d.txt", bytes, distinctWords, seed);
    Corpus corpus = new Corpus(directory.resolve(name), directory.resolve(name + ".counts"));
    // The generator puts a complete text in place first, and complete counts after it.
    if (!Files.exists(corpus.text) || !Files.exists(corpus.counts)) {
      new CorpusGenerator(bytes, distinctWords, seed).write(corpus.text, corpus.counts);
    }
    return corpus;
  }

  /** The text cut between lines into files of about a size; returns a pattern of all of them. */
  public Path inFiles(int files) throws IOException {
    Path directory = text.resolveSibling(text.getFileName() + "-in-" + files);
    if (!Files.exists(directory)) {
      Path unfinished = Files.createTempDirectory(text.getParent(), "unfinished-");
      try {
        cut(files, unfinished);
        Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        FileTrees.delete(unfinished);
      }
    }
    return directory.resolve("*");
  }

  private void cut(int files, Path directory) throws IOException {
    long bytes = Files.size(text);
    long position = 0;
    // One character for each byte, whatever the text is encoded in.
    try (BufferedReader lines = Files.newBufferedReader(text, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      for (int file = 0; file < files; file++) {
        Path part = directory.resolve(String.format(Locale.ROOT, "%05d.txt", file));
        try (BufferedWriter out = Files.newBufferedWriter(part, StandardCharsets.ISO_8859_1)) {
          while (line != null && position < bytes * (file + 1) / files) {
            out.write(line);
            out.write('\n');
            position += line.length() + 1L;
            line = lines.readLine();
          }
        }
      }
    }
  }

  /** Reads a file or a pattern once, so that no run pays for the disk; returns the bytes. */
  public static long load(Path input) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(input.getParent(), input.getFileName().toString())) {
      for (Path file : files) {
        try (InputStream in = Files.newInputStream(file)) {
          bytes += in.transferTo(OutputStream.nullOutputStream());
        }
      }
    }
    return bytes;
  }
}
