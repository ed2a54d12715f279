// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that tasks of a job have written in this JVM, which are deleted when nobody needs them
 * any more. That is done by a thread of its own, so that it holds up no task and no heartbeat. What
 * cannot be deleted stays until the job ends. Thread-safe.
 */
public final class WrittenBlocks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WrittenBlocks.class);

  /** Deletes what other JVMs of the job have written, where this one can. */
  @FunctionalInterface
  public interface Neighbours {

    /** Deletes the blocks of the job whose names are such. */
    void deleteIf(Predicate<String> name) throws IOException;
  }

  private final Map<DataStore, BlockStore> stores;
  private final Neighbours neighbours;
  private final Map<Output, List<Written>> blocks = new HashMap<>();
  private final Set<ConsumedOutput> known = new HashSet<>();
  private final ExecutorService deleting;

  /** What a vertex writes for a link. */
  private record Output(int vertex, int link) {}

  /** A block, and the store that wrote it. */
  private record Written(int attempt, BlockId block, DataStore store) {}

  /**
   * The blocks of a job, of which there are none yet.
   *
   * @param jobId names the thread
   */
  WrittenBlocks(String jobId, Map<DataStore, BlockStore> stores, Neighbours neighbours) {
    this.stores = stores;
    this.neighbours = neighbours;
    this.deleting =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "anemone-deleting-" + jobId);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Notes a block that was committed.
   *
   * @param vertex number of the Tez vertex whose task wrote it
   * @param link position of its link among the outputs of the stage
   * @param attempt number of the attempt
   * @param store that was asked to write it, wherever it lies
   */
  public synchronized void add(int vertex, int link, int attempt, BlockId block, DataStore store) {
    blocks
        .computeIfAbsent(new Output(vertex, link), k -> new ArrayList<>())
        .add(new Written(attempt, block, store));
  }

  /** Deletes, soon, what is not needed any more and was not said before. */
  public synchronized void consumed(ConsumedOutputs consumed) {
    List<ConsumedOutput> news = consumed.outputs().stream().filter(known::add).toList();
    if (news.isEmpty()) {
      return;
    }
    List<Written> gone = new ArrayList<>();
    for (ConsumedOutput output : news) {
      Iterator<Written> written =
          blocks.getOrDefault(new Output(output.vertex(), output.link()), List.of()).iterator();
      while (written.hasNext()) {
        Written block = written.next();
        if (block.attempt() < output.attempts()) {
          gone.add(block);
          written.remove();
        }
      }
    }
    try {
      deleting.execute(() -> delete(gone, news));
    } catch (RejectedExecutionException e) {
      LOG.debug("The job has ended, and its blocks go with it");
    }
  }

  private void delete(List<Written> gone, List<ConsumedOutput> news) {
    for (Written written : gone) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      try {
        stores.get(written.store()).delete(written.block());
      } catch (IOException e) {
        LOG.warn("Block {} stays until the job ends: {}", written.block(), e.toString());
      }
    }
    try {
      neighbours.deleteIf(name -> news.stream().anyMatch(output -> output.has(name)));
    } catch (IOException e) {
      LOG.warn("Blocks that were read stay until the job ends: {}", e.toString());
    }
  }

  /** Deletes no more; what is left goes with the job. */
  @Override
  public void close() {
    deleting.shutdownNow();
  }
}
