// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.tez.backend.RunningJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Tez sessions of this JVM. A job borrows one that is idle, or starts one, so jobs that run
 * side by side have a session each and a later job finds a warm one. Thread-safe.
 *
 * <p>All files of all sessions lie below one directory, which goes away when the JVM ends.
 */
public final class LocalSessions {

  private static final Logger LOG = LoggerFactory.getLogger(LocalSessions.class);

  private final Path root;
  private final LocalDataPlanes dataPlanes;
  private final RunningJobs runningJobs = new RunningJobs();
  private final Deque<LocalSession> idle = new ArrayDeque<>();

  /** Sessions that are being started and that nobody has borrowed yet. */
  private final Map<LocalSession.Settings, FutureTask<LocalSession>> starting = new HashMap<>();

  private int started;
  private boolean closed;

  /** Sessions with their files below {@code root}, which must exist. */
  public LocalSessions(Path root) {
    this.root = root;
    this.dataPlanes = new LocalDataPlanes(root.resolve("blocks"));
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "anemone-shutdown"));
  }

  /** Where the data of jobs goes on its way between stages. */
  public LocalDataPlanes dataPlanes() {
    return dataPlanes;
  }

  /** The jobs that run on the sessions. */
  RunningJobs runningJobs() {
    return runningJobs;
  }

  /** The directory below which all files lie. */
  Path root() {
    return root;
  }

  /**
   * Begins to start a session, which takes tenths of a second, unless one with these settings is
   * idle or being started. Returns at once; whoever borrows it waits for it, and gets what has made
   * it fail.
   */
  synchronized void prepare(LocalSession.Settings settings) {
    if (closed
        || starting.containsKey(settings)
        || idle.stream().anyMatch(session -> session.settings().equals(settings))) {
      return;
    }
    FutureTask<LocalSession> session = new FutureTask<>(() -> start(settings));
    starting.put(settings, session);
    Thread thread = new Thread(session, "anemone-session-start");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * A session with these settings that is idle or being started, or a new one. The caller gives it
   * back or discards it.
   */
  LocalSession borrow(LocalSession.Settings settings) throws IOException, InterruptedException {
    FutureTask<LocalSession> prepared;
    synchronized (this) {
      requireOpen();
      for (Iterator<LocalSession> i = idle.iterator(); i.hasNext(); ) {
        LocalSession session = i.next();
        if (session.settings().equals(settings)) {
          i.remove();
          return session;
        }
      }
      prepared = starting.remove(settings);
    }
    return prepared == null ? start(settings) : started(prepared, settings);
  }

  private LocalSession start(LocalSession.Settings settings)
      throws IOException, InterruptedException {
    Path directory;
    synchronized (this) {
      requireOpen();
      directory = Files.createDirectory(root.resolve("session" + started++));
    }
    return LocalSession.start(settings, directory);
  }

  private LocalSession started(FutureTask<LocalSession> prepared, LocalSession.Settings settings)
      throws IOException, InterruptedException {
    try {
      return prepared.get();
    } catch (InterruptedException e) {
      synchronized (this) {
        // So that it is stopped with the others.
        starting.putIfAbsent(settings, prepared);
      }
      throw e;
    } catch (ExecutionException e) {
      throw new IOException("a Tez session could not be started: " + e.getCause(), e.getCause());
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("no job can start while the JVM shuts down");
    }
  }

  /** Takes a session back for other jobs. */
  void giveBack(LocalSession session) throws IOException {
    synchronized (this) {
      if (!closed) {
        idle.addFirst(session);
        return;
      }
    }
    session.stop();
  }

  private void close() {
    Deque<LocalSession> sessions;
    List<FutureTask<LocalSession>> unborrowed;
    synchronized (this) {
      closed = true;
      sessions = new ArrayDeque<>(idle);
      idle.clear();
      unborrowed = List.copyOf(starting.values());
    }
    runningJobs.cancelAtExit();
    for (FutureTask<LocalSession> session : unborrowed) {
      try {
        sessions.add(session.get(LocalSession.START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("A session that nobody has used did not start", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      for (LocalSession session : sessions) {
        session.stop();
      }
      dataPlanes.close();
      FileTrees.delete(root);
    } catch (IOException e) {
      LOG.warn("Temporary files were left in {}", root, e);
    }
  }
}
