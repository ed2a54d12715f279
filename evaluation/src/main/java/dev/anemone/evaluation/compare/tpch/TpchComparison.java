// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ClassArchive;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import dev.anemone.runtime.resource.FileTrees;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.util.ReleaseInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run tpch}: the same classes on every runner, as whole processes. */
@Command(name = "tpch")
public final class TpchComparison extends ExperimentCommand {
  private static final String SPARK = "spark";
  private static final String NONE = "none";
  private static final double TRAINING_SCALE = 0.01;

  /** Jars of the project itself: their classes run on every runner. */
  private static final Pattern OWN_JAR = Pattern.compile(".*/(anemone-[^/]*\\.jar|target/classes)");

  @Option(names = "--queries", paramLabel = "LIST", description = "Which queries, such as 1,3,5-7.")
  private String queries = "all";

  @Option(names = "--peers", paramLabel = "LIST", description = "spark, or none.")
  private String peers = SPARK;

  @Option(
      names = "--peer-planner",
      paramLabel = "NAME",
      description =
          "Who plans SQL on the peer: anemone, which gives both the same plan, or beam, Beam SQL's"
              + " own planner, which gets texts that it can plan and needs minutes for many"
              + " tables.")
  private PeerPlanner peerPlanner = PeerPlanner.ANEMONE;

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

  @Mixin private TpchOptions data = new TpchOptions(1);
  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("6g", 420);

  private List<TpchQuery> wanted;

  enum PeerPlanner {
    ANEMONE(AnemoneQueryPlanner.class.getName()),
    BEAM("org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner");

    private final String className;

    PeerPlanner(String className) {
      this.className = className;
    }
  }

  /**
   * @param classArchives whether every runner's JVMs map their classes from an archive of its own
   */
  record Figures(
      String beamVersion,
      double scale,
      List<String> jvmOptions,
      boolean classArchives,
      List<Run> runs) {}

  record Run(int query, MeasuredRun run) {}

  @Override
  protected void check() {
    if (!peers.equals(SPARK) && !peers.equals(NONE)) {
      throw wrong("--peers=" + peers + ": there are " + SPARK + " and " + NONE + ".");
    }
    wanted = TpchOptions.queries(queries);
  }

  @Override
  protected Path directory() {
    return evaluation().results("tpch-comparison");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    TpchDataSet tables = data.open(evaluation());
    List<String> dataArguments = List.of("--data=" + tables.directory(), "--scale=" + data.scale());
    List<RunnerSetup> runners = classArchives ? trained(runners()) : runners();
    InterleavedRuns rounds =
        new InterleavedRuns(
            directory(), Tpch.class, programs.chosenJvmOptions(), programs.deadline());
    List<Run> finished = new ArrayList<>();
    for (TpchQuery query : wanted) {
      rounds
          .run(
              new AnsweredQuery(query, dataArguments),
              runners,
              runs.count(),
              run -> progress(query, run))
          .forEach(run -> finished.add(new Run(query.number(), run)));
    }
    String beamVersion = ReleaseInfo.getReleaseInfo().getVersion();
    publish(
        new Figures(
            beamVersion, data.scale(), programs.chosenJvmOptions(), classArchives, finished),
        text(
            "TPC-H in Beam SQL, scale %s; Beam %s; SQL on the peer planned by %s; %s; %s",
            data.scale(),
            beamVersion,
            peerPlanner.name().toLowerCase(Locale.ROOT),
            String.join(" ", programs.chosenJvmOptions()),
            classArchives ? "classes from archives" : "classes from jars"),
        QueryTable.of(finished));
    return finished.stream().allMatch(run -> run.run().succeeded());
  }

  private void progress(TpchQuery query, MeasuredRun run) {
    progress(
        "query %d, round %d, %s: %.2f s%s",
        query.number(),
        run.round(),
        run.runner(),
        run.cost().wallSeconds(),
        run.succeeded() ? "" : ", " + run.outcome());
  }

  private List<RunnerSetup> runners() throws IOException, InterruptedException {
    List<RunnerSetup> runners = new ArrayList<>();
    runners.add(RunnerSetup.nemo("NemoRunner", evaluation(), programs.nemoOptions()));
    if (peers.equals(SPARK)) {
      PeerClassPath classPath = PeerClassPath.of(evaluation());
      List<String> options =
          Arguments.of(
              Peer.SPARK.pipelineOptions(Runtime.getRuntime().availableProcessors()),
              "--plannerName=" + peerPlanner.className);
      runners.add(
          new RunnerSetup(
              Peer.SPARK.runner(),
              ownClasses(evaluation().nemoClassPath())
                  + File.pathSeparator
                  + classPath.of("spark-sql"),
              Peer.SPARK.jvmOptions(classPath.poms().resolve("spark-sql")),
              options));
    }
    return runners;
  }

  private List<RunnerSetup> trained(List<RunnerSetup> runners)
      throws IOException, InterruptedException {
    Path little = TpchOptions.directory(evaluation(), TRAINING_SCALE, TpchSkew.NONE);
    TpchDataSet tables = TpchDataSet.open(little, TRAINING_SCALE);
    SideTraining training =
        new SideTraining(
            directory(),
            List.of(
                "--data=" + tables.directory(), "--scale=" + TRAINING_SCALE, "--query=" + queries),
            programs.chosenJvmOptions(),
            programs.deadline().multipliedBy(wanted.size()));
    List<RunnerSetup> trained = new ArrayList<>();
    for (RunnerSetup runner : runners) {
      progress("training of %s", runner.name());
      trained.add(training.train(runner));
    }
    return trained;
  }

  /** The peer runs the same class files: tables, texts, and the planner. */
  private static String ownClasses(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> OWN_JAR.matcher(entry).matches())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A query; all its runs must give the answer of the first one. Not thread-safe. */
  static final class AnsweredQuery implements InterleavedRuns.Work {
    private final TpchQuery query;
    private final List<String> dataArguments;
    private Answer answer;

    AnsweredQuery(TpchQuery query, List<String> dataArguments) {
      this.query = query;
      this.dataArguments = dataArguments;
    }

    @Override
    public String prefix() {
      return query.label() + "-";
    }

    @Override
    public List<String> arguments(Path work) {
      return Arguments.of(dataArguments, "--query=" + query.number(), "--output=" + work);
    }

    @Override
    public Optional<String> problem(Path work) throws IOException {
      Answer found = Answer.read(work.resolve(query.label() + ".csv"));
      if (answer == null) {
        answer = found;
      }
      return found.isSameAs(answer)
          ? Optional.empty()
          : Optional.of("another answer than the first run of the query: " + found.lines());
    }
  }

  /**
   * Gives each side an archive of its classes, as {@code bin/anemone} has one: before anything is
   * measured, every side runs the wanted queries once on little data. Without it, most of what a
   * short query takes is the loading of the same ten thousand classes, whatever the runner.
   */
  record SideTraining(
      Path directory, List<String> queryArguments, List<String> jvmOptions, Duration deadline) {
    RunnerSetup train(RunnerSetup side) throws IOException, InterruptedException {
      Path work = directory.resolve("training-" + side.name());
      FileTrees.delete(work);
      Path temporary = Files.createDirectories(work.resolve("tmp"));
      try {
        ClassArchive archive =
            ClassArchive.train(
                side.program(Tpch.class, jvmOptions, queryArguments)
                    .withJvmOptions("-Djava.io.tmpdir=" + temporary),
                directory.resolve(side.name() + ".jsa"),
                work,
                directory.resolve(work.getFileName() + ".log"),
                deadline);
        return side.withJvmOptions(archive.jvmOptions());
      } finally {
        FileTrees.delete(work);
      }
    }
  }
}
