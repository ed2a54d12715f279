// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.format.RunCursor;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Combines the records of a sorted run whose keys are equal into one, where there is a combiner for
 * them. A key with one record passes as it is, without the combiner.
 *
 * <p>When {@link #next} has said that there is no record, it may be called again, and asks the
 * sorted run again; so one object, with its buffers, serves for runs that follow each other in one
 * cursor.
 */
public final class CombinedRun implements RunCursor {

  private static final int NO_TAG = -1;

  private final RunCursor sorted;
  private final IntFunction<RecordCombiner> combiners;
  private final SingleRecord single = new SingleRecord();
  private final CopiedBytes key = new CopiedBytes();
  private final Values values = new Values();
  private final ByteSink combined = new ByteSink();

  private int tag = NO_TAG;
  private RecordCombiner combiner;

  /** Whether the sorted run stands on a record that was not handed out yet. */
  private boolean ahead;

  /** What stands on the current record. */
  private RunCursor current;

  /**
   * A cursor before the first record.
   *
   * @param sorted belongs to the cursor from now on, which closes it
   * @param combiners gives the combiner of a channel by its tag, the first byte of its keys; null
   *     where there is none
   */
  public CombinedRun(RunCursor sorted, IntFunction<RecordCombiner> combiners) {
    this.sorted = sorted;
    this.combiners = combiners;
    this.current = sorted;
  }

  @Override
  public boolean next() throws IOException {
    if (!ahead && !sorted.next()) {
      return false;
    }
    ahead = false;
    findCombiner();
    if (combiner == null) {
      current = sorted;
      return true;
    }
    single.set(sorted);
    current = single;
    if (sorted.next()) {
      if (isOfSameKey()) {
        combine();
      } else {
        ahead = true;
      }
    }
    return true;
  }

  private void findCombiner() {
    int newTag = sorted.keyLength() == 0 ? NO_TAG : sorted.buffer().get(sorted.keyStart()) & 0xff;
    if (newTag != tag) {
      tag = newTag;
      combiner = tag == NO_TAG ? null : combiners.apply(tag);
    }
  }

  private boolean isOfSameKey() {
    return sorted.keyPrefix() == single.keyPrefix()
        && MergedRuns.compareBehindPrefix(sorted, single) == 0;
  }

  private void combine() throws IOException {
    key.copy(single.buffer(), single.keyStart(), single.keyLength());
    combined.reset();
    values.start();
    try {
      combiner.combine(key.sliceFrom(1), values, combined);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while values of channel " + tag + " were combined", e);
    } catch (Exception e) {
      throw new IOException("the combiner of channel " + tag + " failed", e);
    }
    values.skipRest();
    single.set(key.array(), key.length(), combined.array(), combined.length());
  }

  @Override
  public long keyPrefix() {
    return current.keyPrefix();
  }

  @Override
  public ByteBuffer buffer() {
    return current.buffer();
  }

  @Override
  public int recordStart() {
    return current.recordStart();
  }

  @Override
  public int keyStart() {
    return current.keyStart();
  }

  @Override
  public int keyLength() {
    return current.keyLength();
  }

  @Override
  public int valueStart() {
    return current.valueStart();
  }

  @Override
  public int valueLength() {
    return current.valueLength();
  }

  @Override
  public int recordEnd() {
    return current.recordEnd();
  }

  @Override
  public boolean nextPart() throws IOException {
    return current.nextPart();
  }

  @Override
  public void close() throws IOException {
    sorted.close();
  }

  /**
   * The values of one key: that of the single record, that which the sorted run stands on, and
   * those behind it.
   */
  private final class Values implements ValueCursor {

    private final CopiedBytes value = new CopiedBytes();
    private RunCursor source;
    private boolean ended;

    void start() {
      source = null;
      ended = false;
    }

    @Override
    public boolean next() throws IOException {
      boolean found = advance();
      if (found) {
        value.copyValue(source);
      }
      return found;
    }

    private boolean advance() throws IOException {
      if (source == null) {
        source = single;
      } else if (source == single) {
        source = sorted;
      } else if (!ended) {
        ahead = sorted.next();
        ended = !ahead || !isOfSameKey();
      }
      return !ended;
    }

    void skipRest() throws IOException {
      while (!ended) {
        advance();
      }
    }

    @Override
    public InputStream value() {
      return value.sliceFrom(0);
    }
  }
}
