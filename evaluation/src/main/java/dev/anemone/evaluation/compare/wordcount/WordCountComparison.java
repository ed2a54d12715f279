// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static java.util.stream.Collectors.joining;

import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import dev.anemone.examples.wordcount.WordCount;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code evaluation/run wordcount}: the same classes on every runner, as whole processes. */
@Command(name = "wordcount")
public final class WordCountComparison extends WordCountCommand {
  @Option(
      names = "--peers",
      defaultValue = "spark",
      converter = PeersConverter.class,
      paramLabel = "LIST",
      description = "Runners to compare with: spark, flink, direct, separated by commas; or none.")
  private Peers peers;

  @Mixin private ProgramOptions programs = new ProgramOptions("6g", 420);

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<RunnerSetup> runners = new ArrayList<>();
    runners.add(RunnerSetup.nemo("NemoRunner", evaluation(), programs.nemoOptions()));
    PeerClassPath classPath = PeerClassPath.of(evaluation());
    for (Peer peer : peers.list()) {
      runners.add(
          new RunnerSetup(
              peer.runner(),
              wordCountClasses() + File.pathSeparator + classPath.of(peer.folder()),
              peer.jvmOptions(classPath.poms().resolve(peer.folder())),
              peer.pipelineOptions(Runtime.getRuntime().availableProcessors())));
    }
    return compare(1, runners, programs);
  }

  /** Where this JVM has the word count from: the peers run the same class files. */
  private static Path wordCountClasses() {
    try {
      return Path.of(WordCount.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The value of {@code --peers}; empty for {@code none}. */
  private record Peers(List<Peer> list) {}

  static final class PeersConverter implements ITypeConverter<Peers> {
    private static final String NONE = "none";

    @Override
    public Peers convert(String text) {
      if (text.equals(NONE)) {
        return new Peers(List.of());
      }
      List<Peer> peers = new ArrayList<>();
      for (String folder : text.split(",", -1)) {
        peers.add(
            Arrays.stream(Peer.values())
                .filter(peer -> peer.folder().equals(folder))
                .findFirst()
                .orElseThrow(() -> unknown(folder)));
      }
      return new Peers(peers);
    }

    private static TypeConversionException unknown(String folder) {
      String known = Arrays.stream(Peer.values()).map(Peer::folder).collect(joining(", "));
      return new TypeConversionException(
          "'" + folder + "' is no peer. There are " + known + "; and " + NONE + ".");
    }
  }
}
