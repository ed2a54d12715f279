// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.TezTaskCommunicatorImpl;
import org.apache.tez.runtime.api.ExecutionContext;
import org.apache.tez.runtime.api.impl.ExecutionContextImpl;
import org.apache.tez.runtime.task.TezChild;
import org.apache.tez.runtime.task.TezChild.ContainerExecutionResult;
import org.apache.tez.serviceplugins.api.ContainerLaunchRequest;
import org.apache.tez.serviceplugins.api.ContainerLauncher;
import org.apache.tez.serviceplugins.api.ContainerLauncherContext;
import org.apache.tez.serviceplugins.api.ContainerStopRequest;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;

/**
 * Runs containers as threads of this JVM. Tez has a launcher that does so too; for each container
 * it parses Hadoop's default configuration anew and copies the session's files into a directory,
 * one container after the other on one thread, which costs tens of milliseconds for a task. Tasks
 * in this JVM need none of that.
 */
public final class ThreadLauncher extends ContainerLauncher {

  private static final AtomicInteger THREADS = new AtomicInteger();

  private final LocalAppMaster master;
  private final ExecutionContext host;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "anemone-task-" + THREADS.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  /** Called by Tez. */
  public ThreadLauncher(ContainerLauncherContext context) throws UnknownHostException {
    super(context);
    this.master = LocalAppMaster.starting();
    this.host = new ExecutionContextImpl(InetAddress.getLocalHost().getHostName());
  }

  @Override
  public void launchContainer(ContainerLaunchRequest request) {
    try {
      threads.execute(() -> run(request));
    } catch (RejectedExecutionException e) {
      getContext().containerLaunchFailed(request.getContainerId(), "the session has ended");
    }
  }

  private void run(ContainerLaunchRequest request) {
    ContainerId container = request.getContainerId();
    TezChild child;
    try {
      child = child(request);
    } catch (IOException | TezException | InterruptedException | RuntimeException e) {
      getContext().containerLaunchFailed(container, "a task could not be started: " + e);
      return;
    }
    getContext().containerLaunched(container);
    ContainerExecutionResult result;
    try {
      result = child.run();
    } catch (IOException | TezException | InterruptedException | RuntimeException | Error e) {
      getContext()
          .containerCompleted(
              container,
              ContainerExecutionResult.ExitStatus.EXECUTION_FAILURE.getExitCode(),
              e.toString(),
              TaskAttemptEndReason.APPLICATION_ERROR);
      return;
    }
    switch (result.getExitStatus()) {
      case SUCCESS, ASKED_TO_DIE ->
          getContext()
              .containerCompleted(
                  container,
                  result.getExitStatus().getExitCode(),
                  null,
                  TaskAttemptEndReason.CONTAINER_EXITED);
      default ->
          getContext()
              .containerCompleted(
                  container,
                  result.getExitStatus().getExitCode(),
                  result.getErrorMessage() == null
                      ? String.valueOf(result.getThrowable())
                      : result.getErrorMessage(),
                  TaskAttemptEndReason.APPLICATION_ERROR);
    }
  }

  private TezChild child(ContainerLaunchRequest request)
      throws IOException, TezException, InterruptedException {
    AppContext context = master.getContext();
    int communicator = context.getTaskCommunicatorIdentifier(request.getTaskCommunicatorName());
    TezTaskCommunicatorImpl umbilical =
        (TezTaskCommunicatorImpl)
            context
                .getTaskCommunicatorManager()
                .getTaskCommunicator(communicator)
                .getTaskCommunicator();
    Map<String, String> environment = new HashMap<>();
    environment.put(Environment.USER.name(), context.getUser());
    int tasks =
        context
            .getAMConf()
            .getInt(
                TezConfiguration.TEZ_AM_INLINE_TASK_EXECUTION_MAX_TASKS,
                TezConfiguration.TEZ_AM_INLINE_TASK_EXECUTION_MAX_TASKS_DEFAULT);
    return TezChild.newTezChild(
        context.getAMConf(),
        null,
        0,
        request.getContainerId().toString(),
        context.getApplicationID().toString(),
        context.getApplicationAttemptId().getAttemptId(),
        context.getLocalDirs(),
        master.workingDirectory(),
        environment,
        "",
        host,
        TezCommonUtils.parseCredentialsBytes(
            request.getContainerLaunchContext().getTokens().array()),
        Runtime.getRuntime().maxMemory() / tasks,
        context.getUser(),
        umbilical.getUmbilical(),
        false,
        context.getHadoopShim());
  }

  /**
   * A task ends when the application master tells it so; its container has nothing else to stop.
   */
  @Override
  public void stopContainer(ContainerStopRequest request) {
    getContext().containerStopRequested(request.getContainerId());
  }

  @Override
  public void shutdown() {
    threads.shutdownNow();
  }
}
