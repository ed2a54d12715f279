// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.robust.ndpfuzz.FuzzRequest.FuzzAnswer;
import dev.anemone.evaluation.robust.ndpfuzz.FuzzRequest.Kind;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp-fuzz}: HDFS says whether a canary was read, which nobody asked for. */
@Command(name = "ndp-fuzz")
public final class NdpFuzz extends ExperimentCommand {
  private static final long BLOCK_BYTES = 1L << 20;
  private static final Duration DEADLINE = Duration.ofSeconds(50);

  /** One core, 128 MB, 8 plans in the queue, 64 connections, splits of 16 MB. */
  private static final ProxyOptions.Limits LIMITS =
      new ProxyOptions.Limits(1, 128L << 20, 8, 64, 16L << 20, DEADLINE, DEADLINE);

  private static final long POLL_MS = 20;
  private static final int PROGRESS = 1_000;
  private static final int SHOWN = 400;
  private static final int MOST_WRONG = 20;

  /** HDFS keeps times of reads to the millisecond. */
  private static final Map<String, String> ACCESS_TIMES =
      Map.of("dfs.namenode.accesstime.precision", "1");

  @Option(names = "--requests", description = "How many.")
  private int requests = 10_000;

  @Option(names = "--seed", description = "Other requests with another one.")
  private long seed = 1;

  private final List<String> wrong = new ArrayList<>();

  /**
   * @param statuses how often each kind of request was answered with each status; 0 for no answer
   * @param wrong what must not be, in words; empty when all is well
   */
  record Figures(
      long seed,
      int requests,
      double seconds,
      Map<Kind, Map<Integer, Integer>> statuses,
      List<String> wrong) {}

  @Override
  protected void check() {
    require("--requests", requests, requests >= 1, "there must be a request");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Path work = directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work.resolve("plans"));
    try (MiniHdfs hdfs = MiniHdfs.start(work.resolve("hdfs"), 1, BLOCK_BYTES, ACCESS_TIMES);
        NdpProxy proxy = MiniHdfs.proxy(hdfs.dataNodes().get(0), LIMITS, work.resolve("plans"))) {
      FileSystem files = hdfs.files();
      write(files, FuzzTarget.FILE, FuzzTarget.content());
      write(files, FuzzTarget.CANARY, FuzzTarget.canary());
      Path canary = Files.write(work.resolve("canary.csv"), FuzzTarget.canary());
      long fileRead = lastRead(files, FuzzTarget.FILE);
      long canaryRead = lastRead(files, FuzzTarget.CANARY);
      FuzzTarget target =
          new FuzzTarget(files.getUri().getAuthority(), System.getProperty("user.name"));
      long start = System.nanoTime();
      Map<Kind, Map<Integer, Integer>> statuses =
          send(
              new RequestMutations(
                  seed, target, List.of(canary.toString(), FuzzTarget.CANARY, "/etc/passwd")),
              proxy);
      double seconds = (System.nanoTime() - start) / 1e9;
      must(lastRead(files, FuzzTarget.FILE) > fileRead, "HDFS has not noticed reads of the file");
      must(lastRead(files, FuzzTarget.CANARY) == canaryRead, "the canary in HDFS was read");
      must(isQuiet(proxy), "plans still run: " + proxy.status());
      try (Stream<Path> left = Files.list(work.resolve("plans"))) {
        must(left.findAny().isEmpty(), "files of plans were left");
      }
      publish(new Figures(seed, requests, seconds, statuses, wrong));
      return wrong.isEmpty();
    } finally {
      FileTrees.delete(work);
    }
  }

  private static void write(FileSystem files, String path, byte[] content) throws IOException {
    try (OutputStream file = files.create(new org.apache.hadoop.fs.Path(path))) {
      file.write(content);
    }
  }

  private static long lastRead(FileSystem files, String path) throws IOException {
    return files.getFileStatus(new org.apache.hadoop.fs.Path(path)).getAccessTime();
  }

  private Map<Kind, Map<Integer, Integer>> send(RequestMutations mutations, NdpProxy proxy)
      throws IOException {
    Map<Kind, Map<Integer, Integer>> statuses = new EnumMap<>(Kind.class);
    for (int i = 1; i <= requests; i++) {
      FuzzRequest request = mutations.next();
      FuzzAnswer answer = FuzzAnswer.to(request, proxy.address());
      statuses
          .computeIfAbsent(request.kind(), kind -> new TreeMap<>())
          .merge(answer.status(), 1, Integer::sum);
      boolean right =
          request.kind() == Kind.VALID
              ? answer.isWhole()
              : answer.isWhole() || answer.isReasonedRefusal();
      must(right, "request " + i + ": " + describe(request) + " was answered " + answer);
      must(
          !answer.text().contains(FuzzTarget.CANARY_TEXT),
          "request " + i + ": " + describe(request) + " got a canary");
      if (i % PROGRESS == 0) {
        progress("%d requests, %d wrong", i, wrong.size());
      }
    }
    return statuses;
  }

  /** Whether no plan runs, soon: an answer is sent before its plan has ended. */
  private static boolean isQuiet(NdpProxy proxy) throws InterruptedException {
    long due = System.nanoTime() + DEADLINE.toNanos();
    while (proxy.status().plans().running() > 0 && System.nanoTime() - due < 0) {
      Thread.sleep(POLL_MS);
    }
    return proxy.status().plans().running() == 0;
  }

  private void must(boolean right, String otherwise) {
    if (!right && wrong.size() < MOST_WRONG) {
      wrong.add(otherwise);
    }
  }

  private static String describe(FuzzRequest request) {
    String body = request.body().substring(0, Math.min(request.body().length(), SHOWN));
    String head = request.head().substring(0, Math.min(request.head().length(), SHOWN));
    return request.kind() + ": " + head + body;
  }

  private void publish(Figures figures) throws IOException {
    MarkdownTable table = new MarkdownTable("requests; 200; 4xx; 5xx; none");
    figures
        .statuses()
        .forEach(
            (kind, counts) ->
                table.row(
                    kind.name().toLowerCase(Locale.ROOT),
                    sum(counts, 200),
                    sum(counts, 400),
                    sum(counts, 500),
                    sum(counts, 0)));
    publish(
        figures,
        text(
            "%d requests with seed %d in %.0f s at a proxy beside a data node",
            requests, seed, figures.seconds()),
        table,
        "By status: " + figures.statuses(),
        "Wrong: " + (wrong.isEmpty() ? "nothing" : String.join("\n", wrong)));
  }

  private static String sum(Map<Integer, Integer> counts, int from) {
    return Integer.toString(
        counts.entrySet().stream()
            .filter(entry -> entry.getKey() >= from && entry.getKey() < from + 100)
            .mapToInt(Map.Entry::getValue)
            .sum());
  }
}
