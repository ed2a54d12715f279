// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the queries with every pushdown at every point, the pushdowns in turn: the storage side in a
 * process of its own, the jobs in another one, both in one throttled network.
 */
final class NdpExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final Duration START = Duration.ofMinutes(3);
  private static final double UNLIMITED_MEGABITS = 40_000;

  private final NdpPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * @param out for the tables
   * @param err for the progress
   */
  NdpExperiment(NdpPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  /**
   * Measures, prints the tables, draws the charts, and writes the raw figures.
   *
   * @throws ExperimentFailure if there cannot be a throttled network, a job fails, or an answer is
   *     wrong
   * @throws IOException if a file cannot be read or written, or no process can be started
   */
  NdpFigures run() throws IOException, InterruptedException {
    ThrottledNetwork.requireAllowed();
    Files.createDirectories(plan.directory());
    TpchDataSet tables = TpchDataSet.open(plan.data(), plan.scale());
    ReferenceAnswers answers = ReferenceAnswers.of(plan.data(), plan.queries());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Path work = plan.directory().resolve("work");
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    List<NdpFigures.Run> runs;
    try (LineProcess storage = storage(work)) {
      List<String> ready = words(storage.await(StorageProgram.READY, START));
      ThrottledNetwork network = new ThrottledNetwork(storage.pid());
      try (LineProcess jobs = jobs(work, network, ready.get(0), ready.get(1))) {
        runs = new Sides(storage, jobs, network, answers).measure();
      }
    } finally {
      DirectoryTree.delete(work);
    }
    NdpFigures figures =
        new NdpFigures(
            started,
            Machine.current(),
            plan.scale(),
            plan.nodes(),
            tables.bytes(TpchTable.LINEITEM),
            runs);
    FiguresFile.write(plan.directory().resolve(FIGURES_FILE), figures);
    print(figures);
    return figures;
  }

  private LineProcess storage(Path work) throws IOException, InterruptedException {
    JavaProgram program =
        new JavaProgram(
            StorageProgram.class.getName(),
            plan.classPath(),
            jvmOptions(work),
            List.of(
                work.resolve("storage").toString(),
                Integer.toString(plan.nodes()),
                Long.toString(plan.blockBytes()),
                plan.data().toString()));
    return LineProcess.start(
        pinned(plan.storageProcessors(), ThrottledNetwork.command(program.command())),
        Map.of(),
        plan.directory().resolve("storage.log"));
  }

  private LineProcess jobs(Path work, ThrottledNetwork network, String configuration, String tables)
      throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--runner=NemoRunner",
                "--progress=off",
                "--tempDirectory=" + work.resolve("tmp"),
                "--hadoopConfDir=" + configuration,
                "--clusterSettings=dfs.client.local.interfaces=" + ThrottledNetwork.COMPUTE_ADDRESS,
                "--tables=NDP",
                "--data=" + tables,
                "--scale=" + plan.scale(),
                "--slots=" + plan.slots()));
    options.addAll(plan.jobOptions());
    JavaProgram program =
        new JavaProgram(JobProgram.class.getName(), plan.classPath(), jvmOptions(work), options);
    return LineProcess.start(
        pinned(plan.computeProcessors(), network.inside(program.command())),
        Map.of(),
        plan.directory().resolve("jobs.log"));
  }

  private List<String> jvmOptions(Path work) {
    return Stream.concat(
            plan.jvmOptions().stream(), Stream.of("-Djava.io.tmpdir=" + work.resolve("tmp")))
        .toList();
  }

  private static List<String> pinned(String processors, List<String> command) {
    return processors.isEmpty()
        ? command
        : Stream.concat(Stream.of("taskset", "--cpu-list", processors), command.stream()).toList();
  }

  private static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }

  /** Both sides, while they run. */
  private final class Sides {
    private final LineProcess storage;
    private final LineProcess jobs;
    private final ThrottledNetwork network;
    private final ReferenceAnswers answers;
    private String proxies = "";
    private int cores;

    Sides(
        LineProcess storage, LineProcess jobs, ThrottledNetwork network, ReferenceAnswers answers) {
      this.storage = storage;
      this.jobs = jobs;
      this.network = network;
      this.answers = answers;
    }

    List<NdpFigures.Run> measure() throws IOException, InterruptedException {
      warmUp();
      List<NdpFigures.Run> runs = new ArrayList<>();
      for (NdpPoint point : plan.points()) {
        for (int round = 1; round <= plan.rounds(); round++) {
          for (Pushdown pushdown : Pushdown.values()) {
            runs.add(run(point, pushdown, round));
          }
        }
      }
      return runs;
    }

    /** Every query once on each side and once with a choice, so that all is loaded and compiled. */
    private void warmUp() throws IOException, InterruptedException {
      for (int query : plan.queries()) {
        for (Pushdown pushdown : List.of(Pushdown.NONE, Pushdown.FULL, Pushdown.NEAR_DATA)) {
          run(
              new NdpPoint(
                  "warming up", UNLIMITED_MEGABITS, plan.proxyCores().get(0), List.of(query)),
              pushdown,
              0);
        }
      }
    }

    private NdpFigures.Run run(NdpPoint point, Pushdown pushdown, int round)
        throws IOException, InterruptedException {
      setProxies(point.proxyCores());
      network.rate(point.megabits());
      double load = Machine.load();
      long bytesBefore = network.bytes();
      List<String> order = new ArrayList<>(List.of(JobProgram.RUN, numbers(point)));
      order.add("--ndpProxies=" + proxies);
      order.addAll(pushdown.options());
      jobs.say(String.join(JobProgram.SEPARATOR, order));
      JobReport report =
          json.readValue(jobs.await(JobProgram.DONE, plan.deadline()), JobReport.class);
      long bytes = network.bytes() - bytesBefore;
      List<JobReport.QueryReport> queries = report.queries();
      for (JobReport.QueryReport query : queries) {
        answers.require(
            query.number(), query.answer(), pushdown.text() + " at " + point.describe());
      }
      NdpFigures.Run run =
          new NdpFigures.Run(
              point,
              pushdown,
              round,
              load,
              queries.stream()
                      .mapToLong(JobReport.QueryReport::milliseconds)
                      .average()
                      .orElseThrow()
                  / 1e3,
              bytes,
              queries.stream().mapToLong(JobReport.QueryReport::answerBytes).sum(),
              queries.stream().mapToLong(JobReport.QueryReport::readBytes).sum(),
              queries.stream().mapToLong(JobReport.QueryReport::splitsPushed).sum(),
              queries.stream().mapToLong(JobReport.QueryReport::splitsPushedBack).sum());
      err.printf(
          Locale.ROOT,
          "%s, %s, round %d, %s: %.2f s, %.3f MB, %d splits pushed, %d pushed back%n",
          point.figure(),
          point.describe(),
          round,
          pushdown.text(),
          run.seconds(),
          bytes / 1e6,
          run.splitsPushed(),
          run.splitsPushedBack());
      err.flush();
      return run;
    }

    private void setProxies(int wanted) throws IOException, InterruptedException {
      if (wanted == cores) {
        return;
      }
      storage.say(StorageProgram.PROXIES + " " + wanted);
      proxies = storage.await(StorageProgram.PROXIES, START);
      network.limit(
          Stream.of(proxies.split(",", -1))
              .map(proxy -> Integer.valueOf(proxy.substring(proxy.lastIndexOf(':') + 1)))
              .toList());
      cores = wanted;
    }

    private String numbers(NdpPoint point) {
      return point.queries().stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  private void print(NdpFigures figures) throws IOException {
    out.printf(
        Locale.ROOT,
        "TPC-H, scale %s, lineitem %.1f MB; %d data nodes with a proxy each, blocks of %d bytes; %d"
            + " tasks at a time; processors: storage %s, compute %s; rounds: %d%n%s; started"
            + " %s%n%n",
        NdpTables.number(figures.scale()),
        figures.lineitemBytes() / 1e6,
        figures.nodes(),
        plan.blockBytes(),
        plan.slots(),
        plan.storageProcessors().isEmpty() ? "all" : plan.storageProcessors(),
        plan.computeProcessors().isEmpty() ? "all" : plan.computeProcessors(),
        plan.rounds(),
        figures.machine().describe(),
        figures.started());
    for (String figure : List.of(NdpPoint.BANDWIDTH, NdpPoint.CONCURRENCY)) {
      if (!figures.points(figure).isEmpty()) {
        Path chart = plan.directory().resolve(figure + ".png");
        NdpChart.draw(figures, figure, chart);
        out.printf(
            "By %s, seconds:%n%s%nBytes over the link:%n%s%nBars: %s%n%n",
            figure, NdpTables.times(figures, figure), NdpTables.bytes(figures, figure), chart);
      }
    }
    out.printf(
        "%s%nRaw figures: %s%n",
        NdpTables.summary(figures), plan.directory().resolve(FIGURES_FILE));
    out.flush();
  }
}
