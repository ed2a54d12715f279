// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static java.util.stream.Collectors.joining;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.peer.Peer;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.examples.wordcount.WordCount;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.util.ReleaseInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code evaluation/run wordcount}: the word count of the examples, the same classes on every
 * runner, as whole processes with fresh JVMs.
 */
@Command(
    name = "wordcount",
    sortOptions = false,
    description =
        "Counts the words of a generated text on NemoRunner and on other runners of Beam, each run"
            + " in a fresh JVM, the runners in turn. Checks every count. Prints wall time,"
            + " processor time and memory of the whole processes.%n")
public final class WordCountComparison extends ExperimentCommand {
  private static final String NEMO = "NemoRunner";

  @Option(
      names = "--bytes",
      defaultValue = "200m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "Size of the text: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--words",
      defaultValue = "200000",
      paramLabel = "N",
      description = "Size of the vocabulary (default: ${DEFAULT-VALUE}).")
  private int distinctWords;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each runner runs (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--peers",
      defaultValue = "spark",
      converter = PeersConverter.class,
      paramLabel = "LIST",
      description =
          "Runners to compare with: spark, flink, direct, separated by commas; or none"
              + " (default: ${DEFAULT-VALUE}).")
  private Peers peers;

  @Option(
      names = "--heap",
      defaultValue = "6g",
      paramLabel = "SIZE",
      description = "Largest heap of every JVM, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "A further option of every JVM; may be given several times.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "An option of NemoRunner, such as --nemo-option=--optimizationPolicy=BasicPush.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "420",
      paramLabel = "SECONDS",
      description = "After which a run is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require("--runs", runs, runs >= 1, "a runner must run at least once");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    List<String> everyJvm = new ArrayList<>(List.of("-Xmx" + heap));
    everyJvm.addAll(jvmOptions);
    ComparisonPlan plan =
        new ComparisonPlan(
            evaluation.results("wordcount"),
            bytes,
            1,
            distinctWords,
            seed,
            runners(evaluation),
            runs,
            everyJvm,
            Duration.ofSeconds(deadlineSeconds));
    return new Comparison(plan, out(), err()).run();
  }

  private List<RunnerSetup> runners(EvaluationDirectory evaluation)
      throws IOException, InterruptedException {
    List<String> nemoArguments = new ArrayList<>(List.of("--runner=" + NEMO));
    nemoArguments.addAll(nemoOptions);
    List<RunnerSetup> runners = new ArrayList<>();
    runners.add(
        new RunnerSetup(NEMO, evaluation.nemoClassPath(), NemoJvm.options(), nemoArguments));
    Path poms = evaluation.path().resolve("peers");
    PeerClassPath peerClassPath =
        new PeerClassPath(
            poms, evaluation.results("peers"), ReleaseInfo.getReleaseInfo().getVersion());
    int processors = Runtime.getRuntime().availableProcessors();
    for (Peer peer : peers.list()) {
      runners.add(
          new RunnerSetup(
              peer.runner(),
              wordCountClasses() + File.pathSeparator + peerClassPath.of(peer.folder()),
              peer.jvmOptions(poms.resolve(peer.folder())),
              peer.pipelineOptions(processors)));
    }
    return runners;
  }

  /** Where this JVM has the word count from: the peers run the same class files. */
  private static Path wordCountClasses() {
    try {
      return Path.of(WordCount.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The value of {@code --peers}.
   *
   * @param list empty for {@code none}
   */
  private record Peers(List<Peer> list) {}

  /** Reads {@code --peers}. */
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
