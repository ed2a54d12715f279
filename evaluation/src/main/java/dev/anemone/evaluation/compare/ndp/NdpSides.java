// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.compare.ndp.JobProgram.JobReport;
import dev.anemone.evaluation.compare.ndp.NdpFigures.NdpPoint;
import dev.anemone.evaluation.compare.ndp.NdpFigures.Pushdown;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The storage side and the jobs, while they run. Used by one thread. */
final class NdpSides {
  static final Duration START = Duration.ofMinutes(3);

  private static final double UNLIMITED_MEGABITS = 40_000;

  private final LineProcess storage;
  private final LineProcess jobs;
  private final ThrottledNetwork network;
  private final ReferenceAnswers answers;
  private final Duration deadline;
  private final ObjectMapper json = new ObjectMapper();
  private String proxies = "";
  private int cores;

  NdpSides(
      LineProcess storage,
      LineProcess jobs,
      ThrottledNetwork network,
      ReferenceAnswers answers,
      Duration deadline) {
    this.storage = storage;
    this.jobs = jobs;
    this.network = network;
    this.answers = answers;
    this.deadline = deadline;
  }

  /** Every query once on each side and once with a choice, so that all is loaded and compiled. */
  void warmUp(List<Integer> queries, int proxyCores) throws IOException, InterruptedException {
    for (int query : queries) {
      NdpPoint point = new NdpPoint("warming up", UNLIMITED_MEGABITS, proxyCores, List.of(query));
      for (Pushdown pushdown : List.of(Pushdown.NONE, Pushdown.FULL, Pushdown.NEAR_DATA)) {
        NdpFigures.Run unused = run(point, pushdown, 0);
        assert unused.seconds() >= 0;
      }
    }
  }

  NdpFigures.Run run(NdpPoint point, Pushdown pushdown, int round)
      throws IOException, InterruptedException {
    setProxies(point.proxyCores());
    network.rate(point.megabits());
    double load = Machine.load();
    long bytesBefore = network.bytes();
    List<String> order =
        Arguments.of(JobProgram.RUN, numbers(point), "--ndpProxies=" + proxies, pushdown.options());
    jobs.say(String.join(JobProgram.SEPARATOR, order));
    JobReport report =
        json.readValue(String.join(" ", jobs.await(JobProgram.DONE, deadline)), JobReport.class);
    long bytes = network.bytes() - bytesBefore;
    List<JobReport.QueryReport> queries = report.queries();
    for (JobReport.QueryReport query : queries) {
      answers.require(query.number(), query.answer(), pushdown.text() + " at " + point.describe());
    }
    return new NdpFigures.Run(
        point,
        pushdown,
        round,
        load,
        queries.stream().mapToLong(JobReport.QueryReport::milliseconds).average().orElseThrow()
            / 1e3,
        bytes,
        queries.stream().mapToLong(JobReport.QueryReport::answerBytes).sum(),
        queries.stream().mapToLong(JobReport.QueryReport::readBytes).sum(),
        queries.stream().mapToLong(JobReport.QueryReport::splitsPushed).sum(),
        queries.stream().mapToLong(JobReport.QueryReport::splitsPushedBack).sum());
  }

  private void setProxies(int wanted) throws IOException, InterruptedException {
    if (wanted == cores) {
      return;
    }
    storage.say(StorageProgram.PROXIES + " " + wanted);
    proxies = storage.await(StorageProgram.PROXIES, START).get(0);
    network.limit(
        Stream.of(proxies.split(",", -1))
            .map(proxy -> Integer.valueOf(proxy.substring(proxy.lastIndexOf(':') + 1)))
            .toList());
    cores = wanted;
  }

  private static String numbers(NdpPoint point) {
    return point.queries().stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
