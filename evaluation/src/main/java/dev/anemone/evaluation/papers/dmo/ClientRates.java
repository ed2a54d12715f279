// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.SortedRecords;
import dev.anemone.rdma.pool.TierOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.knowm.xchart.XYChart;

/** Figure 10: the rate of one server, when more and more clients sort more and more data. */
final class ClientRates implements PaperFigure {
  private static final Duration DEADLINE = Duration.ofMinutes(15);
  private static final Memory MEMORY = new Memory(256, 128);
  private static final String TRANSPORT = "tcp";
  private static final int POOL_MEGABYTES_PER_CLIENT = 1024;

  /** The rate flattens when twice the clients bring less than this more. */
  private static final double FLAT = 1.25;

  private final Optional<Size> chosen;

  /**
   * @param megabytes that each client sorts
   */
  record Size(List<Integer> clients, int megabytes) {
    static final Size SMALL = new Size(List.of(1, 2, 4), 100);
    static final Size FULL = new Size(List.of(1, 2, 4, 8), 1000);
  }

  /**
   * @param seconds from the start of the first client's process to the end of the last
   * @param traffic of the server
   */
  private record Rate(int clients, double seconds, Traffic traffic) {

    double received() {
      return traffic.received() / 1e6 / seconds;
    }

    double sent() {
      return traffic.sent() / 1e6 / seconds;
    }
  }

  ClientRates() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  ClientRates(Optional<Size> chosen) {
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return "dmo-10";
  }

  @Override
  public String question() {
    return "what is one server's rate, with one client and with more?";
  }

  @Override
  public int minutes() {
    return 3;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Size size = chosen.orElse(run.isFull() ? Size.FULL : Size.SMALL);
    List<Rate> rates = new ArrayList<>();
    for (int clients : size.clients()) {
      Rate rate = measure(run, clients, size.megabytes());
      run.progress(
          String.format(
              Locale.ROOT,
              "%d clients: %.1f MB/s received, %.1f MB/s sent",
              clients,
              rate.received(),
              rate.sent()));
      rates.add(rate);
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "TeraSort of %d MB by each client, all at a time, each a process of %d MB; one"
                    + " server in PMEM (a mapped file in /dev/shm) over loopback TCP. Rates are"
                    + " means of the whole time, with the start of the clients. The paper has 25"
                    + " GbE; here processors, which all share, end the growth.",
                size.megabytes(),
                MEMORY.megabytes()),
            List.of("clients", "received, MB/s", "sent, MB/s", "all clients, s"),
            rates.stream()
                .map(
                    rate ->
                        new Point(
                            Integer.toString(rate.clients()),
                            List.of(rate.received(), rate.sent(), rate.seconds())))
                .toList(),
            claims(rates),
            id() + ".png");
    XYChart chart = Charts.curves(id(), "clients", "MB/s of the server");
    Charts.add(chart, "received", rates, Rate::clients, Rate::received);
    Charts.add(chart, "sent", rates, Rate::clients, Rate::sent);
    Charts.save(chart, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static List<Claim> claims(List<Rate> rates) {
    Rate first = rates.get(0);
    Rate last = rates.get(rates.size() - 1);
    Rate before = rates.get(Math.max(0, rates.size() - 2));
    double growth = last.received() / before.received();
    return List.of(
        new Claim(
            "more clients bring more",
            String.format(
                Locale.ROOT,
                "%.1f MB/s of one, %.1f MB/s of %d",
                first.received(),
                last.received(),
                last.clients()),
            last.received() > first.received()),
        new Claim(
            "until the rate flattens",
            String.format(
                Locale.ROOT,
                "%.2f times the rate with %d as with %d",
                growth,
                last.clients(),
                before.clients()),
            growth < FLAT));
  }

  private static Rate measure(FigureRun run, int clients, int megabytes)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(run.directory().resolve("dmo-10"));
    JobRuns lab = new JobRuns(run, directory, DEADLINE);
    List<SortedRecords> sorts = new ArrayList<>();
    try (PoolServerProcess server =
        PoolServerProcess.start(
            TRANSPORT,
            TierOptions.pmem(
                Path.of("/dev/shm"),
                ((long) clients * Math.max(POOL_MEGABYTES_PER_CLIENT, 4 * megabytes)) << 20),
            PoolServerProcess.SMALL_CHUNK_BYTES,
            run.evaluation().ownClassPath(),
            lab.log("server"))) {
      for (int client = 0; client < clients; client++) {
        sorts.add(SortedRecords.make(run, directory.resolve("client-" + client), megabytes));
      }
      Traffic before = server.traffic();
      long begin = System.nanoTime();
      sortAll(lab, sorts, server.runnerOptions());
      double seconds = (System.nanoTime() - begin) / 1e9;
      Traffic traffic = server.traffic().since(before);
      for (SortedRecords sort : sorts) {
        sort.check("pool on PMEM");
      }
      return new Rate(clients, seconds, traffic);
    } finally {
      for (SortedRecords sort : sorts) {
        sort.close();
      }
    }
  }

  private static void sortAll(JobRuns lab, List<SortedRecords> sorts, List<String> options)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(sorts.size());
    try {
      List<Future<Optional<JobCost>>> running = new ArrayList<>();
      for (SortedRecords sort : sorts) {
        String name = "client-" + running.size() + "-run";
        running.add(
            threads.submit(
                () ->
                    lab.run(
                        name,
                        sort.program(),
                        MEMORY.jvmOptions(),
                        Arguments.of(sort.arguments(), options, MEMORY.runnerOptions(false)))));
      }
      for (Future<Optional<JobCost>> client : running) {
        if (client.get().isEmpty()) {
          throw new ExperimentFailure(
              "A client did not end well. The logs are in %s.", lab.directory());
        }
      }
    } catch (ExecutionException e) {
      throw new ExperimentFailure(e, "A client could not run: %s", e.getCause().getMessage());
    } finally {
      threads.shutdownNow();
    }
  }
}
