// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.portable;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TextOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.peer.PythonEnvironment;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.sdk.util.ReleaseInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run portable}: programs of Python on servers that stay up. */
@Command(name = "portable")
public final class PortableComparison extends ExperimentCommand {
  private static final String NEMO = "NemoRunner";
  private static final String NONE = "none";
  private static final String PREFIX = "counts";
  private static final String WORD_COUNT = "wordcount";
  private static final String TRIVIAL = "trivial";

  @Option(
      names = "--peers",
      split = ",",
      defaultValue = "prism,flink,spark",
      paramLabel = "LIST",
      description = "Servers to compare with: prism, flink, spark, separated by commas; or none.")
  private List<String> peers;

  @Option(
      names = "--harnesses",
      defaultValue = "2",
      description = "SDK harnesses of a word count, each a process, if the server has a choice.")
  private int harnesses;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description = "A Python with Beam's SDK. By default one is made, with pip.")
  private Path python;

  @Mixin private TextOptions text = new TextOptions("200m");
  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  /** Runs of one pipeline. */
  record PipelineRuns(String pipeline, List<MeasuredRun> runs) {}

  record Figures(
      String beamVersion,
      long textBytes,
      long words,
      int harnesses,
      List<String> notMeasured,
      List<PipelineRuns> pipelines) {}

  @Override
  protected void check() {
    requireLeast("--harnesses", List.of(harnesses), 1, "there must be a harness");
    chosen();
  }

  private List<PortablePeer> chosen() {
    if (peers.equals(List.of(NONE))) {
      return List.of();
    }
    return peers.stream().map(PortableComparison::peer).toList();
  }

  private static PortablePeer peer(String option) {
    return Arrays.stream(PortablePeer.values())
        .filter(peer -> peer.option().equals(option))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--peers: '%s' is no peer. There are %s; and %s."
                        .formatted(
                            option,
                            Arrays.stream(PortablePeer.values())
                                .map(PortablePeer::option)
                                .collect(Collectors.joining(", ")),
                            NONE)));
  }

  @Override
  protected boolean measure() throws Exception {
    String version = ReleaseInfo.getReleaseInfo().getVersion();
    Path interpreter = interpreter(version);
    Corpus corpus = text.corpus(directory());
    TrueCounts counts = TrueCounts.read(corpus.counts());
    long textBytes = Corpus.load(corpus.text());
    double load = Machine.load();
    if (circumstances().machine().isBusy(load)) {
      progress("Other programs keep this machine busy (load %.1f): figures say little.", load);
    }
    List<String> missing = new ArrayList<>();
    List<PortableSide> sides = new ArrayList<>();
    try (ListeningProcess pool = workers(interpreter)) {
      sides.add(nemo());
      for (PortablePeer peer : chosen()) {
        addIfThere(peer, sides, missing);
      }
      List<PipelineRuns> measured =
          List.of(
              new PipelineRuns(TRIVIAL, inTurn(interpreter, sides, trivial(), 1)),
              new PipelineRuns(
                  WORD_COUNT, inTurn(interpreter, sides, wordCount(corpus, counts, pool), 0)));
      publish(
          new Figures(version, textBytes, counts.words(), harnesses, missing, measured),
          text(
              "Programs of Python on servers that are up; words of %,d bytes, %d harnesses; Beam %s",
              textBytes, harnesses, version),
          table(measured),
          notMeasured(missing));
      return measured.stream()
          .flatMap(each -> each.runs().stream())
          .allMatch(MeasuredRun::succeeded);
    } finally {
      for (PortableSide side : sides) {
        side.close();
      }
    }
  }

  private Path interpreter(String version) throws IOException, InterruptedException {
    return python != null
        ? python.toAbsolutePath()
        : PythonEnvironment.with(
                "apache-beam==" + version, evaluation().results("peers").resolve("beam-" + version))
            .interpreter();
  }

  /** Beam's pool of workers, which starts a process for each harness that a server asks for. */
  private ListeningProcess workers(Path interpreter) throws IOException, InterruptedException {
    int port = ListeningProcess.freePort();
    String path = interpreter.getParent() + ":" + System.getenv("PATH");
    return ListeningProcess.start(
        List.of(
            interpreter.toString(),
            "-m",
            "apache_beam.runners.worker.worker_pool_main",
            "--service_port=" + port),
        // It starts workers by the name of the interpreter.
        Map.of("PATH", path),
        port,
        directory().resolve("workers.log"));
  }

  private PortableSide nemo() throws IOException, InterruptedException {
    Path home = Files.createDirectories(directory().resolve(NEMO));
    int port = ListeningProcess.freePort();
    JavaProgram program =
        new JavaProgram(
            "dev.anemone.cli.Anemone",
            evaluation().nemoClassPath(),
            Arguments.of(
                programs.chosenJvmOptions(), NemoJvm.options(), "-Djava.io.tmpdir=" + home),
            List.of(
                "job-server",
                "--port=" + port,
                "--artifactPort=0",
                "--expansionPort=0",
                "--artifactsDir=" + home.resolve("artifacts")));
    return side(NEMO, program.command(), port, programs.nemoOptions(), home);
  }

  private void addIfThere(PortablePeer peer, List<PortableSide> sides, List<String> missing)
      throws IOException, InterruptedException {
    Path home = Files.createDirectories(directory().resolve(peer.side()));
    int port = ListeningProcess.freePort();
    try {
      List<String> command = peer.command(evaluation(), programs.heap(), home, port);
      sides.add(side(peer.side(), command, port, peer.pipelineOptions(), home));
    } catch (ExperimentFailure e) {
      progress("%s is left out: %s", peer.side(), e.getMessage());
      missing.add(peer.side() + ". " + e.getMessage());
    }
  }

  private static PortableSide side(
      String name, List<String> command, int port, List<String> options, Path home)
      throws IOException, InterruptedException {
    ListeningProcess server =
        ListeningProcess.start(command, Map.of(), port, home.resolve("server.log"));
    return new PortableSide(name, server, options, home);
  }

  /** Three elements, in the program's own process. */
  private static PortableSide.Task trivial() {
    return new PortableSide.Task() {
      @Override
      public List<String> arguments(Path work) {
        return List.of(TRIVIAL, "--environment_type=LOOPBACK");
      }

      @Override
      public Optional<String> problem(Path work) {
        return Optional.empty();
      }
    };
  }

  private PortableSide.Task wordCount(Corpus corpus, TrueCounts counts, ListeningProcess pool) {
    return new PortableSide.Task() {
      @Override
      public List<String> arguments(Path work) {
        return List.of(
            WORD_COUNT,
            "--input=" + corpus.text(),
            "--output=" + work.resolve(PREFIX),
            "--environment_type=EXTERNAL",
            "--environment_config=" + pool.endpoint(),
            "--sdk_worker_parallelism=" + harnesses);
      }

      @Override
      public Optional<String> problem(Path work) throws IOException {
        String differences = counts.differences(work, PREFIX);
        return differences.isEmpty() ? Optional.empty() : Optional.of("wrong: " + differences);
      }
    };
  }

  /** A first run does not count; a side that has failed once has no further ones. */
  private List<MeasuredRun> inTurn(
      Path interpreter, List<PortableSide> sides, PortableSide.Task task, int warmUp)
      throws IOException, InterruptedException {
    Path program = evaluation().path().resolve("peers/portable_pipelines.py");
    List<MeasuredRun> counted = new ArrayList<>();
    Set<String> failed = new HashSet<>();
    for (int round = 1 - warmUp; round <= runs.count(); round++) {
      for (PortableSide side : sides) {
        if (!failed.contains(side.name())) {
          MeasuredRun run = side.run(interpreter, program, task, round, programs.deadline());
          progress(
              "round %d, %s: %.2f s, %s",
              round, side.name(), run.cost().wallSeconds(), run.outcome());
          if (!run.succeeded()) {
            failed.add(side.name());
          }
          if (round > 0 || !run.succeeded()) {
            counted.add(run);
          }
        }
      }
    }
    return counted;
  }

  private static MarkdownTable table(List<PipelineRuns> measured) {
    MarkdownTable table =
        new MarkdownTable(
            "pipeline; server; runs; median s|%.2f; min s|%.2f; max s|%.2f; NemoRunner's time / this|%.2f");
    for (PipelineRuns pipeline : measured) {
      OptionalDouble nemo = median(pipeline.runs(), NEMO);
      for (String side : pipeline.runs().stream().map(MeasuredRun::runner).distinct().toList()) {
        List<MeasuredRun> its = of(pipeline.runs(), side);
        OptionalDouble median = median(its, side);
        if (median.isEmpty()) {
          String outcome = its.get(its.size() - 1).shortOutcome();
          table.row(pipeline.pipeline(), side, its.size(), outcome, "-", "-", "-");
        } else {
          table.row(
              pipeline.pipeline(),
              side,
              its.size(),
              Summary.of(its, run -> run.cost().wallSeconds()),
              nemo.isPresent() ? (Object) (nemo.getAsDouble() / median.getAsDouble()) : "-");
        }
      }
    }
    return table;
  }

  /** Of the times of a side; empty if it has failed. */
  private static OptionalDouble median(List<MeasuredRun> runs, String side) {
    List<MeasuredRun> its = of(runs, side);
    return its.stream().allMatch(MeasuredRun::succeeded)
        ? OptionalDouble.of(Summary.of(its, run -> run.cost().wallSeconds()).median())
        : OptionalDouble.empty();
  }

  private static List<MeasuredRun> of(List<MeasuredRun> runs, String side) {
    return runs.stream().filter(run -> run.runner().equals(side)).toList();
  }
}
