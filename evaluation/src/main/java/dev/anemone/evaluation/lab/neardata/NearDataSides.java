// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.neardata.JobProgram.JobReport;
import dev.anemone.evaluation.lab.neardata.JobProgram.JobReport.QueryReport;
import dev.anemone.evaluation.lab.network.ThrottledNetwork;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An HDFS with TPC-H's tables and a proxy beside each data node, jobs on the other side of a slow
 * network, and what of both is measured. Used by one thread.
 */
public final class NearDataSides implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(3);
  private static final double UNLIMITED_MEGABITS = 40_000;

  private final LineProcess nameNode;
  private final List<LineProcess> dataNodes;
  private final LineProcess jobs;
  private final ThrottledNetwork network;
  private final ReferenceAnswers answers;
  private final Duration deadline;
  private final Path work;
  private final ObjectMapper json = new ObjectMapper();
  private String proxies = "";

  private NearDataSides(
      LineProcess nameNode,
      List<LineProcess> dataNodes,
      LineProcess jobs,
      ThrottledNetwork network,
      ReferenceAnswers answers,
      Duration deadline,
      Path work) {
    this.nameNode = nameNode;
    this.dataNodes = List.copyOf(dataNodes);
    this.jobs = jobs;
    this.network = network;
    this.answers = answers;
    this.deadline = deadline;
    this.work = work;
  }

  /**
   * The two sides.
   *
   * @param directory gets the logs, and what lies on HDFS, until the sides are closed
   * @param tables their directory
   * @param scale of the tables
   * @param queries all that will be run
   * @param blockBytes of a block of HDFS, a multiple of 1 MiB
   * @param slots tasks of a job at a time
   * @param deadline of a run
   */
  public record SetUp(
      Path directory,
      Path tables,
      double scale,
      List<Integer> queries,
      long blockBytes,
      int slots,
      Duration deadline) {}

  /**
   * How the programs of both sides are run, each in a JVM of its own.
   *
   * @param classPath of all
   * @param jvmOptions of all
   * @param storageJvmOptions of data nodes besides
   * @param jobOptions of all jobs
   * @param nameNode puts it where it belongs, as on some processors
   * @param dataNodes the same of each data node, with a proxy beside it
   * @param compute the same of the jobs
   */
  public record Programs(
      String classPath,
      List<String> jvmOptions,
      List<String> storageJvmOptions,
      List<String> jobOptions,
      UnaryOperator<List<String>> nameNode,
      List<UnaryOperator<List<String>>> dataNodes,
      UnaryOperator<List<String>> compute) {

    public Programs {
      dataNodes = List.copyOf(dataNodes);
    }
  }

  /**
   * What all pushdowns are run under.
   *
   * @param megabits of the network, millions of bits per second
   * @param proxyCores plans that a proxy runs at a time
   * @param queries by their numbers
   * @param gap from the beginning of one query to that of the next
   */
  public record Condition(double megabits, int proxyCores, List<Integer> queries, Duration gap) {

    public Condition {
      queries = List.copyOf(queries);
    }

    String describe() {
      return "%s at %s Mbit/s, %s proxy core(s)"
          .formatted(
              queries.stream().map(number -> "Q" + number).collect(Collectors.joining(" ")),
              megabits,
              proxyCores);
    }
  }

  /**
   * One run, all of whose answers were right.
   *
   * @param load of the machine before it
   * @param seconds of a query, on average
   * @param linkBytes that the network has carried, with headers
   * @param answerBytes that proxies have sent
   * @param readBytes that tasks have read of HDFS
   */
  public record Measured(
      double load,
      double seconds,
      long linkBytes,
      long answerBytes,
      long readBytes,
      long splitsPushed,
      long splitsPushedBack) {}

  /** Fails if this user may not throttle a network. */
  public static void requireAllowed() throws IOException, InterruptedException {
    ThrottledNetwork.requireAllowed();
  }

  /** Starts both sides. */
  public static NearDataSides start(SetUp setUp, Programs programs)
      throws IOException, InterruptedException {
    ReferenceAnswers answers = ReferenceAnswers.of(setUp.tables(), setUp.queries());
    Path work = setUp.directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    List<LineProcess> started = new ArrayList<>();
    try {
      LineProcess nameNode = nameNode(setUp, programs, work);
      started.add(nameNode);
      String configuration = nameNode.await(NameNodeProgram.STARTED, START).get(0);
      ThrottledNetwork network = new ThrottledNetwork(nameNode.pid());
      List<LineProcess> dataNodes = new ArrayList<>();
      for (int index = 0; index < programs.dataNodes().size(); index++) {
        LineProcess dataNode = dataNode(setUp, programs, work, network, configuration, index);
        started.add(dataNode);
        dataNodes.add(dataNode);
      }
      for (LineProcess dataNode : dataNodes) {
        dataNode.await(DataNodeProgram.STARTED, START);
      }
      String tables = nameNode.await(NameNodeProgram.TABLES, START).get(0);
      LineProcess jobs = jobs(setUp, programs, work, network, configuration, tables);
      return new NearDataSides(nameNode, dataNodes, jobs, network, answers, setUp.deadline(), work);
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.forEach(LineProcess::close);
      FileTrees.delete(work);
      throw e;
    }
  }

  private static LineProcess nameNode(SetUp setUp, Programs programs, Path work)
      throws IOException, InterruptedException {
    JavaProgram program =
        JavaProgram.of(
            NameNodeProgram.class,
            programs.classPath(),
            jvmOptions(programs, work),
            work.resolve("name-node"),
            programs.dataNodes().size(),
            setUp.blockBytes(),
            setUp.tables());
    return LineProcess.start(
        programs.nameNode().apply(ThrottledNetwork.command(program.command())),
        Map.of(),
        setUp.directory().resolve("name-node.log"));
  }

  private static LineProcess dataNode(
      SetUp setUp,
      Programs programs,
      Path work,
      ThrottledNetwork network,
      String configuration,
      int index)
      throws IOException {
    String name = "data-node-" + index;
    JavaProgram program =
        JavaProgram.of(
            DataNodeProgram.class,
            programs.classPath(),
            Arguments.of(jvmOptions(programs, work), programs.storageJvmOptions()),
            work.resolve(name),
            configuration,
            index);
    return LineProcess.start(
        programs.dataNodes().get(index).apply(network.inside(program.command())),
        Map.of(),
        setUp.directory().resolve(name + ".log"));
  }

  private static LineProcess jobs(
      SetUp setUp,
      Programs programs,
      Path work,
      ThrottledNetwork network,
      String configuration,
      String tables)
      throws IOException {
    JavaProgram program =
        JavaProgram.of(
            JobProgram.class,
            programs.classPath(),
            jvmOptions(programs, work),
            List.of("--runner=NemoRunner", "--progress=off", "--tables=NDP"),
            "--tempDirectory=" + work.resolve("tmp"),
            "--hadoopConfDir=" + configuration,
            "--clusterSettings=dfs.client.local.interfaces=" + ThrottledNetwork.COMPUTE_ADDRESS,
            "--data=" + tables,
            "--scale=" + setUp.scale(),
            "--slots=" + setUp.slots(),
            programs.jobOptions());
    return LineProcess.start(
        programs.compute().apply(network.inside(program.command())),
        Map.of(),
        setUp.directory().resolve("jobs.log"));
  }

  private static List<String> jvmOptions(Programs programs, Path work) {
    return Arguments.of(programs.jvmOptions(), "-Djava.io.tmpdir=" + work.resolve("tmp"));
  }

  /** Every query once with each pushdown, so that all is loaded and compiled. */
  public void warmUp(List<Integer> queries, int proxyCores)
      throws IOException, InterruptedException {
    for (int query : queries) {
      Condition condition =
          new Condition(UNLIMITED_MEGABITS, proxyCores, List.of(query), Duration.ZERO);
      for (Pushdown pushdown : Pushdown.values()) {
        prepare(condition);
        Measured unused = run(condition, pushdown);
        assert unused.seconds() >= 0;
      }
    }
  }

  /**
   * Starts the proxies anew, so that they know nothing of what was run before, and sets the
   * network's rate.
   */
  public void prepare(Condition condition) throws IOException, InterruptedException {
    for (LineProcess dataNode : dataNodes) {
      dataNode.say(DataNodeProgram.PROXY + " " + condition.proxyCores());
    }
    List<String> addresses = new ArrayList<>();
    for (LineProcess dataNode : dataNodes) {
      addresses.add(dataNode.await(DataNodeProgram.PROXY, START).get(0));
    }
    proxies = String.join(",", addresses);
    network.limit(
        addresses.stream()
            .map(proxy -> Integer.valueOf(proxy.substring(proxy.lastIndexOf(':') + 1)))
            .toList());
    network.rate(condition.megabits());
  }

  /** Runs the queries of the condition for which was {@linkplain #prepare prepared}. */
  public Measured run(Condition condition, Pushdown pushdown)
      throws IOException, InterruptedException {
    double load = Machine.load();
    long bytesBefore = network.bytes();
    List<String> order =
        Arguments.of(
            JobProgram.RUN,
            condition.queries().stream().map(String::valueOf).collect(Collectors.joining(",")),
            condition.gap().toMillis(),
            "--ndpProxies=" + proxies,
            pushdown.options());
    jobs.say(String.join(JobProgram.SEPARATOR, order));
    JobReport report =
        json.readValue(String.join(" ", jobs.await(JobProgram.DONE, deadline)), JobReport.class);
    long bytes = network.bytes() - bytesBefore;
    for (QueryReport query : report.queries()) {
      answers.require(
          query.number(), query.answer(), pushdown.text() + ", " + condition.describe());
    }
    return new Measured(
        load,
        report.queries().stream().mapToLong(QueryReport::milliseconds).average().orElseThrow()
            / 1e3,
        bytes,
        sum(report, QueryReport::answerBytes),
        sum(report, QueryReport::readBytes),
        sum(report, QueryReport::splitsPushed),
        sum(report, QueryReport::splitsPushedBack));
  }

  private static long sum(JobReport report, ToLongFunction<QueryReport> of) {
    return report.queries().stream().mapToLong(of).sum();
  }

  /** Ends both sides, and deletes what they had. */
  @Override
  public void close() throws IOException {
    jobs.close();
    dataNodes.forEach(LineProcess::close);
    nameNode.close();
    FileTrees.delete(work);
  }
}
