// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.tez.backend.RunningJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
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

  /** An idle session with these settings, or a new one. The caller gives it back or discards it. */
  LocalSession borrow(LocalSession.Settings settings) throws IOException, InterruptedException {
    Path directory;
    synchronized (this) {
      if (closed) {
        throw new IOException("no job can start while the JVM shuts down");
      }
      for (Iterator<LocalSession> i = idle.iterator(); i.hasNext(); ) {
        LocalSession session = i.next();
        if (session.settings().equals(settings)) {
          i.remove();
          return session;
        }
      }
      directory = Files.createDirectory(root.resolve("session" + started++));
    }
    return LocalSession.start(settings, directory);
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
    synchronized (this) {
      closed = true;
      sessions = new ArrayDeque<>(idle);
      idle.clear();
    }
    runningJobs.cancelAtExit();
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
