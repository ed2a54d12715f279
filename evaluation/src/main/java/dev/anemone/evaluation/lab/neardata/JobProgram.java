// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.evaluation.lab.neardata.JobProgram.JobReport.QueryReport;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.values.Row;

/**
 * The compute side: runs queries, one or several at the same time, in a JVM that stays warm. For
 * each line {@code run}, numbers of queries, milliseconds from the beginning of one to that of the
 * next, and options, separated by tabs, it says {@code done} and a {@link JobReport}. Ends with its
 * standard input.
 */
public final class JobProgram {
  static final String RUN = "run";
  static final String DONE = "done";
  static final String SEPARATOR = "\t";

  /** Queries that run at the same time. */
  private static final int MOST_AT_A_TIME = 32;

  private final List<String> common;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(MOST_AT_A_TIME);

  /** Opened once: the first lines of all tables are read for it, over the network. */
  private TpchDataSet tables;

  private JobProgram(List<String> common) {
    this.common = common;
  }

  /** Arguments: options of all runs. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    JobProgram program = new JobProgram(List.of(args));

    ObjectMapper json = new ObjectMapper();
    try {
      BufferedReader in = LineProcess.orders();
      for (String order = in.readLine(); order != null; order = in.readLine()) {
        List<String> words = List.of(order.split(SEPARATOR, -1));
        if (words.get(0).equals(RUN)) {
          JobReport report =
              program.run(
                  words.get(1), Long.parseLong(words.get(2)), words.subList(3, words.size()));
          System.out.println(DONE + " " + json.writeValueAsString(report));
        }
      }
    } finally {
      program.threads.shutdownNow();
    }
    // A session of the engine may have threads of its own.
    System.exit(0);
  }

  private JobReport run(String queries, long gapMillis, List<String> options)
      throws IOException, InterruptedException, ExecutionException {
    List<TpchQuery> wanted =
        Stream.of(queries.split(",", -1)).map(Integer::valueOf).map(TpchQuery::byNumber).toList();
    List<String> arguments = new ArrayList<>(common);
    arguments.addAll(options);
    arguments.add("--query=" + wanted.get(0).number());
    String[] all = arguments.toArray(String[]::new);
    Tpch.Options first = Tpch.options(all);
    FileSystems.setDefaultPipelineOptions(first);
    if (tables == null) {
      tables = TpchDataSet.open(first.getData(), first.getScale(), TpchSkew.NONE);
    }
    List<Future<QueryReport>> running = new ArrayList<>();
    for (TpchQuery query : wanted) {
      running.add(
          threads.schedule(
              () -> report(query, Tpch.run(query, tables, Tpch.options(all))),
              running.size() * gapMillis,
              TimeUnit.MILLISECONDS));
    }
    List<QueryReport> reports = new ArrayList<>();
    for (Future<QueryReport> query : running) {
      reports.add(query.get());
    }
    return new JobReport(reports);
  }

  private static QueryReport report(TpchQuery query, QueryResult result) {
    return new QueryReport(
        query.number(),
        result.time().toMillis(),
        Stream.concat(
                Stream.of(String.join(",", result.schema().getFieldNames())),
                result.rows().stream().map(JobProgram::line))
            .toList(),
        counter(result.metrics(), NdpMetrics.SPLITS_PUSHED),
        counter(result.metrics(), NdpMetrics.SPLITS_PUSHED_BACK),
        counter(result.metrics(), NdpMetrics.ANSWER_BYTES),
        counter(result.metrics(), NdpMetrics.READ_BYTES));
  }

  private static String line(Row row) {
    return row.getValues().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static long counter(MetricResults metrics, String name) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(NdpMetrics.NAMESPACE, name))
            .build();
    long sum = 0;
    for (MetricResult<Long> counter : metrics.queryMetrics(filter).getCounters()) {
      sum += counter.getAttempted();
    }
    return sum;
  }

  record JobReport(List<QueryReport> queries) {
    /** One query, from when the runner got it; the answer begins with a line of column names. */
    record QueryReport(
        int number,
        long milliseconds,
        List<String> answer,
        long splitsPushed,
        long splitsPushedBack,
        long answerBytes,
        long readBytes) {}
  }
}
