// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import dev.anemone.runtime.resource.FileTrees;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.runners.fnexecution.control.InstructionRequestHandler;
import org.apache.beam.runners.fnexecution.environment.RemoteEnvironment;

/**
 * A process with an SDK harness. It ends when it is closed, and when this JVM ends; closing it
 * deletes its directory. Thread-safe.
 */
final class HarnessProcess implements RemoteEnvironment {

  /** How long a process that is asked to end may go on. */
  private static final long END_MILLIS = 500;

  private static final int SIGNAL_BASE = 128;

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "harnesses-end"));
  }

  private final Process process;
  private final Environment environment;
  private final ProcessOutput output;
  private final Path directory;
  private volatile InstructionRequestHandler handler;

  private HarnessProcess(
      Process process, Environment environment, String workerId, Path directory) {
    this.directory = directory;
    this.process = process;
    this.environment = environment;
    this.output = ProcessOutput.of(process, "harness " + workerId);
  }

  static HarnessProcess of(
      Process process, Environment environment, String workerId, Path directory) {
    RUNNING.add(process);
    return new HarnessProcess(process, environment, workerId, directory);
  }

  /** This, with the harness that has called. */
  HarnessProcess connected(InstructionRequestHandler caller) {
    handler = caller;
    return this;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** How it ended, as the end of a sentence that begins with it. */
  String fate() {
    int code = process.exitValue();
    return code > SIGNAL_BASE
        ? "was killed by signal " + (code - SIGNAL_BASE)
        : "has ended with exit code " + code;
  }

  /** The last that it printed. */
  String output() throws InterruptedException {
    return output.tail(process);
  }

  /** The same for one that has closed its connection, and so is about to end; with its output. */
  String fateOfClosed() throws InterruptedException {
    boolean ended = process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
    return (ended ? fate() : "has closed its connection") + "." + output();
  }

  @Override
  public Environment getEnvironment() {
    return environment;
  }

  @Override
  public InstructionRequestHandler getInstructionRequestHandler() {
    return handler;
  }

  @Override
  public void close() throws Exception {
    try (InstructionRequestHandler closed = handler) {
      process.destroy();
      if (!process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } finally {
      process.destroyForcibly();
      RUNNING.remove(process);
      process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
      FileTrees.delete(directory);
    }
  }
}
