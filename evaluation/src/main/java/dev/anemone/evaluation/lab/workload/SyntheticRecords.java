// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.KV;

/**
 * Records made from their numbers, so that any task can make any range of them: a key of 8 to 10
 * bytes and a value that fills the record up to {@value #RECORD_BYTES}. Keys are spread evenly over
 * all bytes, values cannot be compressed. Every key has two records, which are far apart; with an
 * odd number of records, one key has a single one.
 *
 * @param count how many there are, at least 1
 */
public record SyntheticRecords(long count, long seed) implements NumberedRecords {
  /** Bytes of the key and value of a record. */
  public static final int RECORD_BYTES = 100;

  private static final int SHORTEST_KEY = Long.BYTES;
  private static final int KEY_LENGTHS = 3;

  /** The odd multiplier and the mixing constants of SplitMix64 (Steele, Lea, Flood 2014). */
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private long distinctKeys() {
    return (count + 1) / 2;
  }

  @Override
  public byte[] key(long record) {
    long number = record % distinctKeys();
    byte[] key = new byte[keyLength(number)];
    // Mixing is a bijection, so different numbers have different keys.
    LONGS.set(key, 0, mix(number ^ seed));
    for (int i = SHORTEST_KEY; i < key.length; i++) {
      key[i] = (byte) (number >>> (Byte.SIZE * (i - SHORTEST_KEY)));
    }
    return key;
  }

  @Override
  public byte[] value(long record) {
    byte[] value = new byte[RECORD_BYTES - keyLength(record % distinctKeys())];
    long state = mix(record + seed * GAMMA);
    int position = 0;
    for (; position + Long.BYTES <= value.length; position += Long.BYTES) {
      state += GAMMA;
      LONGS.set(value, position, mix(state));
    }
    for (; position < value.length; position++) {
      value[position] = (byte) (state >>> position);
    }
    return value;
  }

  private static int keyLength(long number) {
    return SHORTEST_KEY + (int) (number % KEY_LENGTHS);
  }

  private static long mix(long number) {
    long mixed = (number ^ (number >>> 30)) * MIX_1;
    mixed = (mixed ^ (mixed >>> 27)) * MIX_2;
    return mixed ^ (mixed >>> 31);
  }

  @Override
  public RecordTotals totals() {
    CRC32C crc = new CRC32C();
    long checksum = 0;
    for (long record = 0; record < count; record++) {
      checksum += checksum(crc, key(record), value(record));
    }
    return new RecordTotals(count, distinctKeys(), checksum);
  }

  /** What a record adds to {@link RecordTotals#checksum}. */
  static long checksum(CRC32C crc, byte[] key, byte[] value) {
    crc.reset();
    crc.update(key, 0, key.length);
    crc.update(value, 0, value.length);
    return crc.getValue();
  }

  /**
   * What a shuffle has brought to its consumers, in numbers that do not depend on the order.
   *
   * @param groups distinct keys, where each key comes to one task only and once only
   * @param checksum sum of the CRC-32C of every record, key before value, modulo 2^64
   */
  public record RecordTotals(long records, long groups, long checksum) {}

  /** What is shuffled, and from how many tasks to how many, all at least 1. */
  public record ShuffleShape(int producers, int consumers, long records, long seed) {
    public ShuffleShape {
      if (producers < 1 || consumers < 1 || records < 1) {
        throw new IllegalArgumentException(
            "A shuffle needs producers, consumers and records; there are %s, %s and %s."
                .formatted(producers, consumers, records));
      }
    }

    /** A shape of about so many bytes of keys and values. */
    public static ShuffleShape ofBytes(int producers, int consumers, long bytes, long seed) {
      return new ShuffleShape(
          producers, consumers, Math.max(1, bytes / SyntheticRecords.RECORD_BYTES), seed);
    }

    public long bytes() {
      return records * SyntheticRecords.RECORD_BYTES;
    }
  }

  /** Makes a range of {@link NumberedRecords}, in as many parts as it is told, once. */
  static final class SyntheticSource extends BoundedSource<KV<byte[], byte[]>> {
    private static final long serialVersionUID = 1;

    private final NumberedRecords records;
    private final long from;
    private final long to;
    private final int parts;

    private SyntheticSource(NumberedRecords records, long from, long to, int parts) {
      this.records = records;
      this.from = from;
      this.to = to;
      this.parts = parts;
    }

    static SyntheticSource of(NumberedRecords records, int parts) {
      return new SyntheticSource(records, 0, records.count(), parts);
    }

    @Override
    public List<SyntheticSource> split(long desiredBundleSizeBytes, PipelineOptions options) {
      List<SyntheticSource> split = new ArrayList<>(parts);
      long size = to - from;
      for (int part = 0; part < parts; part++) {
        split.add(
            new SyntheticSource(
                records, from + size * part / parts, from + size * (part + 1) / parts, 1));
      }
      return split;
    }

    @Override
    public long getEstimatedSizeBytes(PipelineOptions options) {
      return (to - from) * SyntheticRecords.RECORD_BYTES;
    }

    @Override
    public Coder<KV<byte[], byte[]>> getOutputCoder() {
      return KvCoder.of(ByteArrayCoder.of(), ByteArrayCoder.of());
    }

    @Override
    public BoundedReader<KV<byte[], byte[]>> createReader(PipelineOptions options) {
      return new Reader(this);
    }

    /** Reads one part; used by one thread. */
    private static final class Reader extends BoundedReader<KV<byte[], byte[]>> {
      private final SyntheticSource source;
      private long next;
      private KV<byte[], byte[]> current;

      Reader(SyntheticSource source) {
        this.source = source;
        this.next = source.from;
      }

      @Override
      public boolean start() {
        return advance();
      }

      @Override
      public boolean advance() {
        if (next >= source.to) {
          current = null;
          return false;
        }
        current = KV.of(source.records.key(next), source.records.value(next));
        next++;
        return true;
      }

      @Override
      public KV<byte[], byte[]> getCurrent() {
        if (current == null) {
          throw new NoSuchElementException();
        }
        return current;
      }

      @Override
      public void close() {}

      @Override
      public SyntheticSource getCurrentSource() {
        return source;
      }
    }
  }
}
