// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.shuffle.format.RunCursor;
import dev.anemone.runtime.shuffle.merge.SingleRecord;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/** A run of listed records. */
public final class ListedRun implements RunCursor {

  private final Iterator<TestRecord> records;
  private final SingleRecord record = new SingleRecord();

  public ListedRun(List<TestRecord> records) {
    this.records = records.iterator();
  }

  @Override
  public boolean next() {
    if (!records.hasNext()) {
      return false;
    }
    TestRecord next = records.next();
    byte[] key = next.key().array();
    byte[] value = next.value().array();
    record.set(key, key.length, value, value.length);
    return true;
  }

  @Override
  public long keyPrefix() {
    return record.keyPrefix();
  }

  @Override
  public ByteBuffer buffer() {
    return record.buffer();
  }

  @Override
  public int recordStart() {
    return record.recordStart();
  }

  @Override
  public int keyStart() {
    return record.keyStart();
  }

  @Override
  public int keyLength() {
    return record.keyLength();
  }

  @Override
  public int valueStart() {
    return record.valueStart();
  }

  @Override
  public int valueLength() {
    return record.valueLength();
  }

  @Override
  public void close() {}
}
