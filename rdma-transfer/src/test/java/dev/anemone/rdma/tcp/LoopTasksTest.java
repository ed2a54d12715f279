// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTasksTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final NioEventLoopGroup group = new NioEventLoopGroup(1);
  private final EventExecutor loop = group.next();

  private static long after(Duration duration) {
    return System.nanoTime() + duration.toNanos();
  }

  @AfterEach
  void end() {
    assertThat(shutDown().awaitUninterruptibly(PATIENCE.toMillis())).isTrue();
  }

  private Future<?> shutDown() {
    return group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Test
  void whatALoopDoesIsAwaited() {
    assertThat(LoopTasks.await(loop.submit(() -> {}), loop, after(PATIENCE))).isTrue();
  }

  @Test
  void whatALoopDidBeforeItsEndIsDone() throws InterruptedException {
    Future<?> done = loop.submit(() -> {});
    assertThat(shutDown().await(PATIENCE.toMillis())).isTrue();
    assertThat(LoopTasks.await(done, loop, after(Duration.ZERO))).isTrue();
  }

  /** As a task is lost that comes at that moment. */
  @Test
  void nobodyWaitsForATaskThatALoopHasEndedWithout() throws InterruptedException {
    Future<?> lost = loop.newPromise();
    Future<?> ending = shutDown();
    long end = after(PATIENCE);
    assertThat(LoopTasks.await(lost, loop, end)).isFalse();
    assertThat(loop.isTerminated()).isTrue();
    assertThat(System.nanoTime()).isLessThan(end);
    assertThat(ending.await(PATIENCE.toMillis())).isTrue();
  }

  @Test
  void aLoopThatIsBusyIsNotAwaitedForLonger() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    Future<?> first = loop.submit(() -> busy.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    Future<?> late = loop.submit(() -> {});
    assertThat(LoopTasks.await(late, loop, after(Duration.ofMillis(100)))).isFalse();
    assertThat(loop.isTerminated()).isFalse();
    busy.countDown();
    assertThat(LoopTasks.await(late, loop, after(PATIENCE))).isTrue();
    assertThat(first.isDone()).isTrue();
  }
}
