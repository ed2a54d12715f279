// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.VersionText;
import dev.anemone.examples.wordcount.CorpusGenerator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code anemone generate-corpus}: see {@link CorpusGenerator}. */
@Command(
    name = "generate-corpus",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Generates a text whose words follow Zipf's law.",
      "Beside it, it writes the true counts, sorted, as lines 'word: count'.",
      ""
    })
final class GenerateCorpusCommand implements Callable<Integer> {
  @Option(
      names = "--bytes",
      required = true,
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "Size of the text: a number of bytes, or such as 10k, 200m, 1g (powers of 1000).")
  private long bytes;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the text. The counts go to FILE.counts.")
  private Path output;

  @Option(
      names = "--words",
      defaultValue = "200000",
      paramLabel = "N",
      description = "Number of distinct words (default: ${DEFAULT-VALUE}).")
  private int words;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws Exception {
    Path text = output.toAbsolutePath();
    if (Files.isDirectory(text)) {
      throw new IllegalArgumentException(
          "--output=" + output + " is a directory. Give the name of a file in it.");
    }
    Files.createDirectories(text.getParent());
    Path counts = text.resolveSibling(text.getFileName() + ".counts");
    CorpusGenerator.Corpus corpus = new CorpusGenerator(bytes, words, seed).write(text, counts);
    System.err.printf(
        Locale.ROOT,
        "%,d bytes, %,d words, %,d of them distinct%n",
        corpus.bytes(),
        corpus.words(),
        corpus.distinctWords());
    System.out.println(text);
    System.out.println(counts);
    return 0;
  }

  /** Reads sizes such as {@code 200m}. */
  static final class ByteSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String size = text.toLowerCase(Locale.ROOT);
      long unit =
          switch (size.isEmpty() ? ' ' : size.charAt(size.length() - 1)) {
            case 'k' -> 1_000L;
            case 'm' -> 1_000_000L;
            case 'g' -> 1_000_000_000L;
            default -> 1L;
          };
      try {
        String digits = unit == 1 ? size : size.substring(0, size.length() - 1);
        return Math.multiplyExact(Long.parseLong(digits), unit);
      } catch (NumberFormatException | ArithmeticException notASize) {
        throw new TypeConversionException(
            "'" + text + "' is not a size. Give a number of bytes, or such as 10k, 200m, 1g.");
      }
    }
  }
}
