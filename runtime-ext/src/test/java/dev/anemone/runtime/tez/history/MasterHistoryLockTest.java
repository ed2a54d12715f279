// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.history.DAGHistoryEvent;
import org.apache.tez.dag.history.events.AppLaunchedEvent;
import org.junit.jupiter.api.Test;

/**
 * Tez tells of an event while it holds the lock of the vertex, and the timer asks the vertex how
 * far it is, for which it needs that lock. Tez's objects are played by proxies with such a lock,
 * since only so both can be made to meet each time.
 */
class MasterHistoryLockTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ReentrantReadWriteLock ofVertex = new ReentrantReadWriteLock();
  private final CountDownLatch asking = new CountDownLatch(1);

  private static <T> T proxy(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  private AppContext master() {
    Vertex vertex =
        proxy(
            Vertex.class,
            (self, method, arguments) -> {
              if (method.getName().equals("getVertexProgress")) {
                asking.countDown();
                ofVertex.readLock().lock();
                try {
                  return null;
                } finally {
                  ofVertex.readLock().unlock();
                }
              }
              return method.getName().equals("getName") ? "stage0" : null;
            });
    DAG dag =
        proxy(
            DAG.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getVertices" -> Map.of("vertex", vertex);
                  case "getName" -> "job";
                  default -> null;
                });
    return proxy(
        AppContext.class,
        (self, method, arguments) -> method.getName().equals("getCurrentDAG") ? dag : null);
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "test-history");
    // Where the locks are taken in the wrong order, it never ends.
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void whoAsksHowFarAVertexIsDoesNotHoldUpWhoTellsOfIt() throws Exception {
    MasterHistory history = new MasterHistory();
    history.setAppContext(master());
    CountDownLatch locked = new CountDownLatch(1);
    Thread tez =
        start(
            () -> {
              ofVertex.writeLock().lock();
              try {
                locked.countDown();
                if (asking.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                  history.handle(
                      new DAGHistoryEvent(
                          new AppLaunchedEvent(
                              ApplicationId.newInstance(1, 1), 1, 1, "user", null, null)));
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                ofVertex.writeLock().unlock();
              }
            });
    assertThat(locked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Thread timer = start(history::progress);

    tez.join(PATIENCE.toMillis());
    timer.join(PATIENCE.toMillis());

    assertThat(asking.getCount()).as("whether the vertex was asked").isZero();
    assertThat(tez.isAlive()).as("Tez waits for the history, which waits for Tez").isFalse();
    assertThat(timer.isAlive()).isFalse();
  }
}
