// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.evaluation.compare.tpch.TpchFigures.Run;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.peer.Peer;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.util.ReleaseInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code evaluation/run tpch}: the queries of the examples, the same classes on every runner, as
 * whole processes with fresh JVMs.
 */
@Command(
    name = "tpch",
    sortOptions = false,
    description =
        "Runs TPC-H queries in Beam SQL on NemoRunner and on Beam's Spark runner, each run in a"
            + " fresh JVM, the runners in turn. Compares every answer. Prints wall time and"
            + " processor time of the whole processes.%n")
public final class TpchComparison extends ExperimentCommand {
  private static final String NEMO = "NemoRunner";
  private static final String SPARK = "spark";
  private static final String NONE = "none";
  private static final String BEAM_PLANNER =
      "org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner";

  private static final String COMPARISON = "tpch-comparison";
  private static final double TRAINING_SCALE = 0.01;

  /** Jars of the project itself: their classes run on every runner. */
  private static final Pattern OWN_JAR = Pattern.compile(".*/(anemone-[^/]*\\.jar|target/classes)");

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "X",
      description = "Scale factor of the data (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--queries",
      defaultValue = "all",
      paramLabel = "LIST",
      description = "Which queries, such as 1,3,5-7 (default: ${DEFAULT-VALUE}).")
  private String queries;

  @Option(
      names = "--peers",
      defaultValue = SPARK,
      paramLabel = "LIST",
      description = "spark, or none (default: ${DEFAULT-VALUE}).")
  private String peers;

  @Option(
      names = "--peer-planner",
      defaultValue = "anemone",
      paramLabel = "NAME",
      description =
          "Who plans SQL on the peer: anemone, which gives both the same plan, or beam, Beam SQL's"
              + " own planner, which gets texts that it can plan and needs minutes for many tables"
              + " (default: ${DEFAULT-VALUE}).")
  private PeerPlanner peerPlanner;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each runner runs a query (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--heap",
      defaultValue = "6g",
      paramLabel = "SIZE",
      description = "Largest heap of every JVM, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--class-archives",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Before anything is measured, each runner, the peer as well, runs the queries once on"
              + " little data, and its later JVMs map the classes that were loaded then, as"
              + " bin/anemone does. With --no-class-archives every JVM reads its jars.")
  private boolean classArchives;

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

  /** Who plans SQL on the peer. */
  enum PeerPlanner {
    ANEMONE(AnemoneQueryPlanner.class.getName()),
    BEAM(BEAM_PLANNER);

    private final String className;

    PeerPlanner(String className) {
      this.className = className;
    }
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<TpchQuery> wanted = checked();
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    Path directory = Files.createDirectories(evaluation.results(COMPARISON));
    Path data = evaluation.results("tpch").resolve(TpchDataSet.name(scale, TpchSkew.NONE));
    TpchDataSet.open(data, scale);
    List<String> everyJvm = List.of("-Xmx" + heap);
    QueryRounds rounds =
        new QueryRounds(
            directory,
            List.of("--data=" + data, "--scale=" + scale),
            everyJvm,
            Duration.ofSeconds(deadlineSeconds));
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<Side> sides = sides(evaluation);
    if (classArchives) {
      sides = trained(sides, wanted, evaluation, everyJvm);
    }
    List<Run> finished = rounds.run(wanted, sides, runs, this::printProgress);
    TpchFigures figures =
        new TpchFigures(
            started,
            Machine.current(),
            ReleaseInfo.getReleaseInfo().getVersion(),
            scale,
            everyJvm,
            classArchives,
            finished);
    Path file = directory.resolve("figures.json");
    FiguresFile.write(file, figures);
    print(figures, file);
    return finished.stream().allMatch(Run::succeeded);
  }

  private List<TpchQuery> checked() {
    require("--runs", runs, runs >= 1, "a runner must run at least once");
    if (!peers.equals(SPARK) && !peers.equals(NONE)) {
      throw wrong("--peers=" + peers + ": there are " + SPARK + " and " + NONE + ".");
    }
    try {
      TpchDataSet.check(scale, TpchSkew.NONE);
      return TpchQuery.parse(queries);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage().replace("--query=", "--queries="), e);
    }
  }

  private List<Side> sides(EvaluationDirectory evaluation)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--runner=" + NEMO, "--progress=off"));
    arguments.addAll(nemoOptions);
    List<Side> sides = new ArrayList<>();
    sides.add(new Side(NEMO, evaluation.nemoClassPath(), NemoJvm.options(), arguments));
    if (peers.equals(SPARK)) {
      Path poms = evaluation.path().resolve("peers");
      PeerClassPath classPath =
          new PeerClassPath(
              poms, evaluation.results("peers"), ReleaseInfo.getReleaseInfo().getVersion());
      List<String> options =
          new ArrayList<>(Peer.SPARK.pipelineOptions(Runtime.getRuntime().availableProcessors()));
      options.add("--plannerName=" + peerPlanner.className);
      sides.add(
          new Side(
              Peer.SPARK.runner(),
              ownClasses(evaluation.nemoClassPath())
                  + File.pathSeparator
                  + classPath.of("spark-sql"),
              Peer.SPARK.jvmOptions(poms.resolve("spark-sql")),
              options));
    }
    return sides;
  }

  private List<Side> trained(
      List<Side> sides,
      List<TpchQuery> wanted,
      EvaluationDirectory evaluation,
      List<String> everyJvm)
      throws IOException, InterruptedException {
    Path data = evaluation.results("tpch").resolve(TpchDataSet.name(TRAINING_SCALE, TpchSkew.NONE));
    TpchDataSet.open(data, TRAINING_SCALE);
    SideTraining training =
        new SideTraining(
            evaluation.results(COMPARISON),
            List.of("--data=" + data, "--scale=" + TRAINING_SCALE, "--query=" + queries),
            everyJvm,
            Duration.ofSeconds((long) deadlineSeconds * wanted.size()));
    List<Side> trained = new ArrayList<>();
    for (Side side : sides) {
      err().printf("training of %s%n", side.name());
      trained.add(training.train(side));
    }
    return trained;
  }

  /** The peer runs the same class files: tables, texts, and the planner. */
  private static String ownClasses(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> OWN_JAR.matcher(entry).matches())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void printProgress(Run run) {
    PrintWriter err = err();
    err.printf(
        Locale.ROOT,
        "query %d, round %d, %s: %.2f s%s%n",
        run.query(),
        run.round(),
        run.side(),
        run.wallSeconds(),
        run.succeeded() ? "" : ", " + run.failure());
    err.flush();
  }

  private void print(TpchFigures figures, Path file) {
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "TPC-H in Beam SQL, scale %s; Beam %s; SQL on the peer planned by %s; %s; %s%n%s; started"
            + " %s%n%n%s%nRaw figures: %s%n",
        scale,
        figures.beamVersion(),
        peerPlanner.name().toLowerCase(Locale.ROOT),
        String.join(" ", figures.jvmOptions()),
        classArchives ? "classes from archives" : "classes from jars",
        figures.machine().describe(),
        figures.started(),
        QueryTable.of(figures.runs()),
        file);
    out.flush();
  }
}
