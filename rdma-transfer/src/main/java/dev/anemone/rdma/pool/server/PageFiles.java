// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.server.tier.ServedPages;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Reads and writes pages that no network reaches, such as those of file tiers, for clients.
 * Thread-safe.
 */
final class PageFiles {

  private final List<ServedPages> files;
  private final PageTable pages;
  private final Executor threads;

  /**
   * For the clients of a server.
   *
   * @param threads for these alone: they wait for disks, and for clients who take their time
   */
  PageFiles(List<ServedPages> files, PageTable pages, Executor threads) {
    this.files = List.copyOf(files);
    this.pages = pages;
    this.threads = threads;
  }

  /** Has a read or a write carried out, unless too much of the connection's waits: it ends then. */
  void execute(AcceptedConnection connection, Request request, Runnable work) {
    int length = request instanceof Request.WritePage write ? write.bytes().remaining() : 0;
    if (!connection.fileWrites().begin(length)) {
      connection.close();
      return;
    }
    threads.execute(
        () -> {
          try {
            work.run();
          } finally {
            connection.fileWrites().end(length);
          }
        });
  }

  /** Bytes of a page; whether they are still the object's, its reader finds out afterwards. */
  Reply.PageBytes read(Request.ReadPage read) throws IOException {
    return new Reply.PageBytes(file(read.number()).read(read.number(), read.from(), read.length()));
  }

  /**
   * Writes into a page.
   *
   * @throws RefusedException when it is not the writer's
   */
  void write(Object writer, Request.WritePage write) throws IOException {
    if (!pages.isOpen(writer, write.number())) {
      throw new RefusedException(
          Refusal.FAILED, "page " + write.number() + " is not this client's");
    }
    file(write.number()).write(write.number(), write.at(), write.bytes());
  }

  private ServedPages file(int page) throws RefusedException {
    for (ServedPages file : files) {
      if (file.has(page)) {
        return file;
      }
    }
    throw new RefusedException(
        Refusal.FAILED, "page " + page + " is not read or written for others");
  }
}
