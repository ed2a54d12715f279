// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.network.BridgedHosts;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.PoolServerProgram;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A server or a client of the pool: a place where one process at a time runs. Not thread-safe. */
final class PoolMember implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(3);

  /** The exit code of a Java program of which an exception was the end. */
  private static final int FAILED = 1;

  /** That of a process which its own code aborted: 128 and the signal's number. */
  private static final int ABORTED = 134;

  private final Optional<BridgedHosts.Host> host;
  private final Supplier<JavaProgram> program;
  private final Path directory;
  private final String name;
  private int starts;
  private LineProcess process;

  /**
   * A place, where nobody runs yet.
   *
   * @param program asked for each process that is started
   * @param directory for their logs, which have the name and how many came before
   */
  PoolMember(
      Optional<BridgedHosts.Host> host,
      Supplier<JavaProgram> program,
      Path directory,
      String name) {
    this.host = host;
    this.program = program;
    this.directory = directory;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Starts a process, and does not wait until it is ready. */
  void start() throws IOException {
    List<String> command = program.get().command();
    Path log = directory.resolve(name + "-" + starts + ".log");
    starts++;
    process =
        LineProcess.start(host.map(place -> place.command(command)).orElse(command), Map.of(), log);
  }

  void awaitReady() throws IOException, InterruptedException {
    process.await(PoolServerProgram.READY, START);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Completes when the process ends, however it does. */
  CompletableFuture<?> onEnd() {
    return process.onEnd();
  }

  /** Whether the process, which has ended, did so as a program that fails, and did not crash. */
  boolean hasEndedItself() {
    return process.exitCode() == FAILED;
  }

  /** Whether the process has ended, by a library that aborted it. */
  boolean wasAborted() {
    return !process.isAlive() && process.exitCode() == ABORTED;
  }

  /** Kills the process, if it lives, and returns what it has said since it was ready. */
  List<String> kill() throws IOException, InterruptedException {
    return process.kill();
  }

  /** Lets a fault begin that ends again. */
  void strike(PoolFault fault) throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> throw new IllegalArgumentException("Who is killed does not go on.");
      case STOP -> process.stop();
      case CUT -> host.orElseThrow().cutOff();
    }
  }

  /** Lets such a fault end. */
  void heal(PoolFault fault) throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> throw new IllegalArgumentException("Who is killed does not go on.");
      case STOP -> process.goOn();
      case CUT -> host.orElseThrow().reconnect();
    }
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
