// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generates text whose words follow Zipf's law, and the true count of each word.
 *
 * <p>The word of rank <i>r</i> has a probability proportional to 1/<i>r</i>. Words are drawn from
 * an alias table (Vose 1991), so a word costs the same whatever the size of the vocabulary. The
 * same parameters give the same bytes on every machine.
 *
 * <p>Immutable and thread-safe; {@link #write} calls are independent of each other.
 */
public final class CorpusGenerator {
  /** Average length of a word in the text, in letters. */
  public static final double AVERAGE_WORD_LETTERS = 6.7;

  /** Words in a line of the text. */
  public static final int WORDS_PER_LINE = 10;

  private static final int LETTERS = 26;
  private static final int MAXIMUM_LENGTH_DEVIATION = 3;
  private static final int MAXIMUM_DISTINCT_WORDS = 1_000_000;
  private static final int BUFFER_BYTES = 1 << 20;

  private final long targetBytes;
  private final int distinctWords;
  private final long seed;

  /**
   * What was written.
   *
   * @param bytes size of the text in bytes
   * @param words words in the text
   * @param distinctWords different words in the text
   */
  public record Corpus(long bytes, long words, int distinctWords) {}

  /**
   * Describes a text; {@link #write} generates it.
   *
   * @param targetBytes size of the text in bytes; it ends with the first word that reaches it
   * @param distinctWords size of the vocabulary, from 1 to 1,000,000; a short text does not use all
   *     of it
   * @param seed of the random numbers
   * @throws IllegalArgumentException if a number is out of its range
   */
  public CorpusGenerator(long targetBytes, int distinctWords, long seed) {
    if (targetBytes < 1) {
      throw new IllegalArgumentException(
          "The text must have at least one byte, not " + targetBytes + ".");
    }
    if (distinctWords < 1 || distinctWords > MAXIMUM_DISTINCT_WORDS) {
      throw new IllegalArgumentException(
          "The number of distinct words must be from 1 to "
              + MAXIMUM_DISTINCT_WORDS
              + ", not "
              + distinctWords
              + ".");
    }
    this.targetBytes = targetBytes;
    this.distinctWords = distinctWords;
    this.seed = seed;
  }

  /**
   * Writes the text, and beside it the counts: one line {@code word: count} per word that occurs,
   * in the byte order of the words. Neither file is visible under its name before it is complete.
   *
   * @throws IOException if a file cannot be written
   */
  public Corpus write(Path text, Path counts) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] words = vocabulary(random.split());
    long[] occurrences = new long[distinctWords];
    long bytes;
    Path unfinished = unfinished(text);
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(unfinished), BUFFER_BYTES)) {
        bytes = writeText(out, words, occurrences, random);
      }
      Files.move(unfinished, text, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
    writeCounts(counts, words, occurrences);
    return new Corpus(
        bytes,
        Arrays.stream(occurrences).sum(),
        Math.toIntExact(Arrays.stream(occurrences).filter(count -> count > 0).count()));
  }

  private long writeText(
      OutputStream out, byte[][] words, long[] occurrences, SplittableRandom random)
      throws IOException {
    AliasTable table = AliasTable.zipf(distinctWords);
    long bytes = 0;
    int inLine = 0;
    while (bytes < targetBytes) {
      int word = table.draw(random.nextLong());
      occurrences[word]++;
      out.write(words[word]);
      inLine++;
      boolean last = bytes + words[word].length + 1 >= targetBytes;
      if (inLine == WORDS_PER_LINE || last) {
        out.write('\n');
        inLine = 0;
      } else {
        out.write(' ');
      }
      bytes += words[word].length + 1;
    }
    return bytes;
  }

  private static void writeCounts(Path counts, byte[][] words, long[] occurrences)
      throws IOException {
    int[] order =
        IntStream.range(0, words.length)
            .filter(word -> occurrences[word] > 0)
            .boxed()
            .sorted(Comparator.comparing(word -> words[word], Arrays::compareUnsigned))
            .mapToInt(Integer::intValue)
            .toArray();
    Path unfinished = unfinished(counts);
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(unfinished), BUFFER_BYTES)) {
        for (int word : order) {
          out.write(words[word]);
          out.write((": " + occurrences[word] + "\n").getBytes(StandardCharsets.US_ASCII));
        }
      }
      Files.move(unfinished, counts, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static Path unfinished(Path file) {
    Path name = file.getFileName();
    if (name == null) {
      throw new IllegalArgumentException(file + " does not name a file.");
    }
    return file.resolveSibling("." + name + ".unfinished");
  }

  /**
   * Random words of lower-case letters. Lengths alternate around the average, and what rounding
   * leaves is carried to the next word: so the frequent words do not pull the average away. There
   * are few short words: when half of those of a length are used, longer ones take their place.
   */
  private byte[][] vocabulary(SplittableRandom random) {
    byte[][] words = new byte[distinctWords][];
    Set<String> used = new HashSet<>(distinctWords * 2);
    int[] usedOfLength = new int[LETTERS];
    double carried = 0;
    int deviation = 0;
    for (int rank = 0; rank < distinctWords; rank++) {
      deviation = rank % 2 == 0 ? random.nextInt(MAXIMUM_LENGTH_DEVIATION + 1) : -deviation;
      double wanted = AVERAGE_WORD_LETTERS + deviation + carried;
      int length = (int) Math.round(wanted);
      while (usedOfLength[length] >= Math.pow(LETTERS, length) / 2) {
        length++;
      }
      usedOfLength[length]++;
      carried = wanted - length;
      byte[] word = new byte[length];
      do {
        for (int letter = 0; letter < length; letter++) {
          word[letter] = (byte) ('a' + random.nextInt(LETTERS));
        }
      } while (!used.add(new String(word, StandardCharsets.US_ASCII)));
      words[rank] = word;
    }
    return words;
  }
}
