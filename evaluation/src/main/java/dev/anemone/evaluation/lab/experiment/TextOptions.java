// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.data.Corpus;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

public final class TextOptions {
  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "Size of the text: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes;

  @Option(names = "--words", description = "Size of the text's vocabulary.")
  private int distinctWords = 200_000;

  @Option(names = "--seed", description = "Seed of the text.")
  private long seed = 1;

  public TextOptions(String bytes) {
    this.bytes = ByteSize.of(bytes);
  }

  public long bytes() {
    return bytes.bytes();
  }

  /** The text; generated if it is not there yet. */
  public Corpus corpus(Path experiment) throws IOException {
    return Corpus.of(experiment.resolve("corpus"), bytes.bytes(), distinctWords, seed);
  }
}
