// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The group that a reader stands on, without the tag before its key. All groups share one log. Used
 * by one thread.
 */
final class LinkKeyGroup implements KeyGroup, Closeable {

  private final GroupReader reader;
  private final ValueLog log;
  private final ByteSlice key = new ByteSlice();
  private final OnceCursor once = new OnceCursor();
  private boolean valuesTaken;
  private long group;

  LinkKeyGroup(GroupReader reader, Path spillDirectory, long memoryBytes) {
    this.reader = reader;
    this.log = new ValueLog(spillDirectory, memoryBytes);
  }

  /** The tag of the group that the reader stands on; makes it the current one. */
  int begin() {
    valuesTaken = false;
    ByteSlice tagged = reader.key();
    key.set(tagged.array(), tagged.start() + 1, tagged.length() - 1);
    return tagged.array()[tagged.start()] & 0xff;
  }

  /** Ends the current group and lets go of what it spilled. */
  @Override
  public void close() throws IOException {
    group++;
    log.clear();
  }

  @Override
  public InputStream key() {
    return key.rewind();
  }

  @Override
  public ValueCursor valuesOnce() {
    takeValues();
    return once;
  }

  @Override
  public ReplayableValues replayableValues() {
    takeValues();
    long taken = group;
    return () -> new ReplayingCursor(taken);
  }

  private void takeValues() {
    if (valuesTaken) {
      throw new IllegalStateException("the values of a group can be asked for only once");
    }
    valuesTaken = true;
  }

  private final class OnceCursor implements ValueCursor {

    @Override
    public boolean next() throws IOException {
      return reader.nextValue();
    }

    @Override
    public InputStream value() {
      return reader.value();
    }
  }

  /** Reads the log, and where it ends, moves the next value from the reader into it. */
  private final class ReplayingCursor implements ValueCursor {

    private final long groupOfValues;
    private final ValueCursor logged;

    ReplayingCursor(long groupOfValues) {
      this.groupOfValues = groupOfValues;
      this.logged = log.cursor();
    }

    @Override
    public boolean next() throws IOException {
      if (groupOfValues != group) {
        throw new IllegalStateException(
            "the values of a group were read after the group had ended");
      }
      if (logged.next()) {
        return true;
      }
      if (!reader.nextValue()) {
        return false;
      }
      log.add(reader.value());
      return logged.next();
    }

    @Override
    public InputStream value() {
      return logged.value();
    }
  }
}
