// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.robust.ndpfuzz.FuzzRequest.Kind;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Sends requests at random to a proxy beside a real data node, and looks whether each is answered
 * or refused with a reason, whether the proxy goes on, and whether a file was read that nobody had
 * asked for: HDFS keeps when a file was last read, and both canaries have a word that no answer may
 * have.
 */
final class FuzzExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final long BLOCK_BYTES = 1L << 20;
  private static final int CORES = 1;
  private static final long MEMORY = 128L << 20;
  private static final int QUEUE = 8;
  private static final int CONNECTIONS = 64;
  private static final long SPLIT_BYTES = 16L << 20;
  private static final Duration DEADLINE = Duration.ofSeconds(50);
  private static final long POLL_MS = 20;
  private static final int PROGRESS = 1_000;
  private static final int SHOWN = 400;
  private static final int MOST_WRONG = 20;

  /** HDFS keeps times of reads to the millisecond. */
  private static final Map<String, String> ACCESS_TIMES =
      Map.of("dfs.namenode.accesstime.precision", "1");

  private final Path directory;
  private final int requests;
  private final long seed;
  private final PrintWriter out;
  private final PrintWriter err;
  private final List<String> wrong = new ArrayList<>();

  /**
   * @param directory for the figures and passing files; made if missing
   * @param out for the table
   * @param err for the progress
   */
  FuzzExperiment(Path directory, int requests, long seed, PrintWriter out, PrintWriter err) {
    this.directory = directory;
    this.requests = requests;
    this.seed = seed;
    this.out = out;
    this.err = err;
  }

  /**
   * Sends all, prints a table and writes the raw figures.
   *
   * @throws IOException if a file cannot be read or written, or the proxy cannot be started
   */
  FuzzFigures run() throws IOException, InterruptedException {
    Path work = directory.resolve("work");
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("plans"));
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    try (MiniHdfs hdfs = MiniHdfs.start(work.resolve("hdfs"), 1, BLOCK_BYTES, ACCESS_TIMES);
        NdpProxy proxy = proxy(hdfs, work.resolve("plans"))) {
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
      require(
          lastRead(files, FuzzTarget.FILE) > fileRead, "HDFS has not noticed reads of the file");
      require(lastRead(files, FuzzTarget.CANARY) == canaryRead, "the canary in HDFS was read");
      require(isQuiet(proxy), "plans still run: " + proxy.status());
      try (Stream<Path> left = Files.list(work.resolve("plans"))) {
        require(left.findAny().isEmpty(), "files of plans were left");
      }
      FuzzFigures figures =
          new FuzzFigures(
              started, Machine.current(), seed, requests, seconds, statuses, List.copyOf(wrong));
      FiguresFile.write(directory.resolve(FIGURES_FILE), figures);
      print(figures);
      return figures;
    } finally {
      DirectoryTree.delete(work);
    }
  }

  private static NdpProxy proxy(MiniHdfs hdfs, Path plans) throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            hdfs.dataNodes().get(0),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ProxyOptions.Limits(
                CORES, MEMORY, QUEUE, CONNECTIONS, SPLIT_BYTES, DEADLINE, DEADLINE),
            plans,
            Optional.empty()));
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
      require(right, "request " + i + ": " + describe(request) + " was answered " + answer);
      require(
          !answer.text().contains(FuzzTarget.CANARY_TEXT),
          "request " + i + ": " + describe(request) + " got a canary");
      if (i % PROGRESS == 0) {
        err.printf(Locale.ROOT, "%d requests, %d wrong%n", i, wrong.size());
        err.flush();
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

  private void require(boolean right, String otherwise) {
    if (!right && wrong.size() < MOST_WRONG) {
      wrong.add(otherwise);
    }
  }

  private static String describe(FuzzRequest request) {
    String body = request.body().substring(0, Math.min(request.body().length(), SHOWN));
    String head = request.head().substring(0, Math.min(request.head().length(), SHOWN));
    return request.kind() + ": " + head + body;
  }

  private void print(FuzzFigures figures) {
    MarkdownTable table = new MarkdownTable("requests", "200", "4xx", "5xx", "none");
    for (Map.Entry<Kind, Map<Integer, Integer>> kind : figures.statuses().entrySet()) {
      Map<Integer, Integer> counts = kind.getValue();
      table.row(
          kind.getKey().name().toLowerCase(Locale.ROOT),
          sum(counts, 200),
          sum(counts, 400),
          sum(counts, 500),
          sum(counts, 0));
    }
    out.printf(
        Locale.ROOT,
        "%d requests with seed %d in %.0f s at a proxy beside a data node%n%s; started %s%n%n%s%n"
            + "By status: %s%nWrong: %s%nRaw figures: %s%n",
        figures.requests(),
        figures.seed(),
        figures.seconds(),
        figures.machine().describe(),
        figures.started(),
        table,
        figures.statuses(),
        figures.wrong().isEmpty() ? "nothing" : String.join("\n", figures.wrong()),
        directory.resolve(FIGURES_FILE));
    out.flush();
  }

  private static String sum(Map<Integer, Integer> counts, int from) {
    return Integer.toString(
        counts.entrySet().stream()
            .filter(entry -> entry.getKey() >= from && entry.getKey() < from + 100)
            .mapToInt(Map.Entry::getValue)
            .sum());
  }
}
