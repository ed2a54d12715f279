// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs that a reader has in memory, packed into pages as they are stored. Those that were added
 * after the last {@link #keep} can be taken out again. Used by one thread.
 */
final class FetchedRuns {

  private final TaskMemory memory;
  private final DecodingRoom room;
  private final List<FetchedRun> runs = new ArrayList<>();

  /** The first page and the last, or null; each knows the next. */
  private FetchedPage first;

  private FetchedPage last;

  /** The last page that is kept, or null. */
  private FetchedPage keptLast;

  private int keptEnd;
  private int keptRuns;
  private DecodingRoom.Mark keptRoom;

  FetchedRuns(TaskMemory memory) {
    this.memory = memory;
    this.room = new DecodingRoom(memory);
    keep();
  }

  /** Keeps all that was added. */
  void keep() {
    keptLast = last;
    keptEnd = last == null ? 0 : last.end();
    keptRuns = runs.size();
    keptRoom = room.mark();
  }

  /** Takes out what was added after the last {@link #keep}. */
  void dropUnkept() {
    runs.subList(keptRuns, runs.size()).clear();
    giveBack(keptLast == null ? first : keptLast.next(), null);
    last = keptLast;
    if (last == null) {
      first = null;
    } else {
      last.setNext(null);
      last.setEnd(keptEnd);
    }
    room.rewind(keptRoom);
  }

  /** The runs that are kept. */
  List<FetchedRun> kept() {
    return List.copyOf(runs.subList(0, keptRuns));
  }

  /** The runs that were added after the last {@link #keep}. */
  List<FetchedRun> unkept() {
    return List.copyOf(runs.subList(keptRuns, runs.size()));
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Forgets the runs that are kept; all pages belong to the others then, if there are any. */
  void forgetKept() {
    runs.subList(0, keptRuns).clear();
    keptRuns = 0;
    keptLast = null;
    keptRoom = DecodingRoom.NOTHING;
  }

  /** Whether so many stored bytes, decompressed one run at a time, surely fit beside the runs. */
  boolean hasRoomFor(long bytes) {
    long free = PagePool.PAGE_BYTES - (long) last.end();
    long wanted = 1 + Math.max(0, (bytes - free + PagePool.PAGE_BYTES - 1) / PagePool.PAGE_BYTES);
    return FreePages.atLeast(wanted, memory);
  }

  /** Forgets all runs and gives their pages back. */
  void clear() {
    runs.clear();
    room.clear();
    giveBack(first, null);
    first = null;
    last = null;
    keep();
  }

  /** Gives pages back, from one on and before another, or all where that is null. */
  private void giveBack(FetchedPage from, FetchedPage before) {
    for (FetchedPage page = from; page != before; page = page.next()) {
      memory.giveBack(page.bytes());
    }
  }

  /**
   * Forgets all runs and gives their pages back but the last, which is empty now; its bytes are as
   * they were.
   */
  void clearButLastPage() {
    FetchedPage page = last;
    giveBack(first, page);
    first = null;
    last = null;
    clear();
    page.setEnd(0);
    first = page;
    last = page;
  }

  /** The page that chunks are added to, or null when there is none yet. */
  FetchedPage last() {
    return last;
  }

  /** Goes on with an empty page. */
  void addPage(ByteBuffer bytes) {
    FetchedPage page = new FetchedPage(bytes);
    if (last == null) {
      first = page;
    } else {
      last.setNext(page);
    }
    last = page;
  }

  /** Begins a run, whose first chunk is the next one that is added to the last page. */
  FetchedRun begin(BlockId block, int partition, long offset) {
    FetchedRun run = new FetchedRun(block, partition, offset, last, last.end());
    runs.add(run);
    return run;
  }

  /** Room to decompress a chunk of the run that was begun last. */
  DecodingRoom room() {
    return room;
  }
}
