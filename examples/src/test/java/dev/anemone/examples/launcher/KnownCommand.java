// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import java.util.List;
import java.util.Optional;

/**
 * How a command of the documents is run.
 *
 * @param begin how it begins, of several the longest
 * @param kind what becomes of it
 * @param says what it prints, among other things: a job until it ends, a server when it serves
 */
record KnownCommand(String begin, Kind kind, String says) {

  /** What becomes of a command. */
  enum Kind {
    /** It ends by itself. */
    JOB,
    /** It runs until another command, or the end of its block, stops it. */
    SERVER,
    /** Maven compiles a user's program; a compiler of the test's does it in its place. */
    COMPILATION,
    /** This build is that command. */
    BUILD
  }

  private static final List<KnownCommand> ALL =
      List.of(
          job("bin/anemone wordcount", "-of-"),
          job("bin/anemone explain wordcount", "SHUFFLE"),
          job("bin/anemone explain dev.anemone.examples.wordcount.WordCount", "SHUFFLE"),
          job("bin/anemone explain tpch", " vertices, "),
          job("bin/anemone explain wordcount --format=svg", "<svg"),
          job("bin/anemone jobs", ""),
          job("bin/anemone generate-corpus", "corpus"),
          job("bin/anemone sql -e", "be"),
          job("bin/anemone tpch --query=6", "revenue"),
          job("bin/anemone tpch --query=10", "revenue"),
          job("bin/anemone tpch --query=all", "revenue"),
          job("bin/anemone explain tpcds", " vertices, "),
          job("bin/anemone tpcds", "sum_agg"),
          job("bin/anemone teragen", "part-00000"),
          job("bin/anemone terasort", "part-00000"),
          job("bin/anemone teravalidate", "checksum"),
          job("bin/anemone pagerank", "-of-"),
          job("bin/anemone run com.example.MyPipeline", "lines: "),
          job("bin/anemone run -job_id", ""),
          job("bin/anemone attach", "DONE"),
          server("bin/anemone pool start", " lends "),
          job("bin/anemone pool status", " name"),
          job("bin/anemone pool stop", " ends"),
          server("bin/anemone ndp-proxy", " beside data node "),
          server("bin/anemone ui", "Jobs of "),
          server("bin/anemone job-server", "job server "),
          job("bin/anemone cluster start", "serve"),
          job("bin/anemone cluster stop", ""),
          job("bin/anemone fs -mkdir", ""),
          job("bin/anemone fs -put", ""),
          job("bin/anemone fs -cat", ": "),
          new KnownCommand("mvn -q package -f ", Kind.COMPILATION, ""),
          new KnownCommand("mvn install -DskipTests", Kind.BUILD, ""),
          new KnownCommand("mvn verify", Kind.BUILD, ""));

  private static KnownCommand job(String begin, String says) {
    return new KnownCommand(begin, Kind.JOB, says);
  }

  private static KnownCommand server(String begin, String says) {
    return new KnownCommand(begin, Kind.SERVER, says);
  }

  /** The one that a command is, or empty if this is not known. */
  static Optional<KnownCommand> of(String command) {
    String plain = command.startsWith("eval \"$(") ? command.substring(8) : command;
    return ALL.stream()
        .filter(each -> plain.startsWith(each.begin()))
        .max((a, b) -> Integer.compare(a.begin().length(), b.begin().length()));
  }
}
