package dev.anemone.evaluation.wordcount;

import dev.anemone.examples.wordcount.CorpusGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A generated text and the file of its true word counts.
 *
 * @param text words, separated by single spaces and line breaks
 * @param counts one line {@code word: count} per distinct word
 */
record Corpus(Path text, Path counts) {

  /**
   * The corpus of these parameters; generated if it is not there yet.
   *
   * @param directory where corpora are kept; made if missing
   * @param bytes size of the text
   * @param distinctWords size of the vocabulary
   * @param seed of the random numbers
   * @throws IOException if it cannot be written
   */
  static Corpus of(Path directory, long bytes, int distinctWords, long seed) throws IOException {
    Files.createDirectories(directory);
    String name = String.format(Locale.ROOT, "words-%d-%d-%d.txt", bytes, distinctWords, seed);
    Corpus corpus = new Corpus(directory.resolve(name), directory.resolve(name + ".counts"));
    // The generator puts a complete text in place first, and complete counts after it.
    if (!Files.exists(corpus.text) || !Files.exists(corpus.counts)) {
      new CorpusGenerator(bytes, distinctWords, seed).write(corpus.text, corpus.counts);
    }
    return corpus;
  }

  /**
   * Reads the text once, so that no run pays for the disk where the next one finds the text in
   * memory.
   *
   * @return its size in bytes
   */
  long load() throws IOException {
    try (InputStream in = Files.newInputStream(text)) {
      return in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
