package dev.anemone.runtime.shuffle;

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
  private final List<FetchedPage> pages = new ArrayList<>();
  private final List<FetchedRun> runs = new ArrayList<>();

  private int keptPages;
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
    keptPages = pages.size();
    keptEnd = pages.isEmpty() ? 0 : last().end();
    keptRuns = runs.size();
    keptRoom = room.mark();
  }

  /** Takes out what was added after the last {@link #keep}. */
  void dropUnkept() {
    runs.subList(keptRuns, runs.size()).clear();
    while (pages.size() > keptPages) {
      memory.giveBack(pages.remove(pages.size() - 1).bytes());
    }
    if (!pages.isEmpty()) {
      last().setEnd(keptEnd);
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
    keptPages = 0;
    keptRoom = DecodingRoom.NOTHING;
  }

  /** Whether so many stored bytes, decompressed one run at a time, surely fit beside the runs. */
  boolean hasRoomFor(long bytes) {
    long free = PagePool.PAGE_BYTES - (long) last().end();
    long wanted = 1 + Math.max(0, (bytes - free + PagePool.PAGE_BYTES - 1) / PagePool.PAGE_BYTES);
    return FreePages.atLeast(wanted, memory);
  }

  /** Forgets all runs and gives their pages back. */
  void clear() {
    runs.clear();
    room.clear();
    for (FetchedPage page : pages) {
      memory.giveBack(page.bytes());
    }
    pages.clear();
    keep();
  }

  /**
   * Forgets all runs and gives their pages back but the last, which is empty now; its bytes are as
   * they were.
   */
  void clearButLastPage() {
    FetchedPage page = pages.remove(pages.size() - 1);
    clear();
    page.setEnd(0);
    pages.add(page);
  }

  /** The page that chunks are added to, or null when there is none yet. */
  FetchedPage last() {
    return pages.isEmpty() ? null : pages.get(pages.size() - 1);
  }

  /** Goes on with an empty page. */
  void addPage(ByteBuffer bytes) {
    FetchedPage page = new FetchedPage(bytes);
    if (!pages.isEmpty()) {
      last().setNext(page);
    }
    pages.add(page);
  }

  /** Begins a run, whose first chunk is the next one that is added to the last page. */
  FetchedRun begin(BlockId block, int partition, long offset) {
    FetchedRun run = new FetchedRun(block, partition, offset, last(), last().end());
    runs.add(run);
    return run;
  }

  /** Room to decompress a chunk of the run that was begun last. */
  DecodingRoom room() {
    return room;
  }
}
