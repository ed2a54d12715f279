// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Kinds of keys and values that are hard on a shuffle, each in its own way. */
public enum RecordShape {
  /** Up to ten zeros and ones: many keys are empty, equal, or the start of others. */
  TINY {
    @Override
    public byte[] key(Random random) {
      return bits(random, 0, 11);
    }

    @Override
    byte[] value(Random random) {
      return new byte[random.nextInt(4)];
    }
  },
  /** Keys that differ only behind their first twenty bytes, and zeros at their ends. */
  PREFIXED {
    @Override
    public byte[] key(Random random) {
      return bits(random, 20, 20);
    }

    @Override
    byte[] value(Random random) {
      return random(random, 100);
    }
  },
  /** Values that do not compress, of all sizes up to those that have a chunk to themselves. */
  LARGE {
    @Override
    public byte[] key(Random random) {
      return random(random, 1 + random.nextInt(20));
    }

    @Override
    byte[] value(Random random) {
      return random(random, random.nextInt(1 << random.nextInt(18)));
    }
  },
  /** Now and then a value that is larger than a page, which compresses or not. */
  JUMBO {
    @Override
    public byte[] key(Random random) {
      return bits(random, 5, 3);
    }

    @Override
    byte[] value(Random random) {
      int length = random.nextInt(20) == 0 ? 300_000 : 2_000;
      return random.nextBoolean() ? new byte[length] : random(random, length);
    }
  };

  public abstract byte[] key(Random random);

  abstract byte[] value(Random random);

  /** Records until their keys and values have so many bytes. */
  public List<TestRecord> records(Random random, int partitions, long bytes) {
    List<TestRecord> records = new ArrayList<>();
    for (long left = bytes; left > 0; ) {
      TestRecord next = TestRecord.of(random.nextInt(partitions), key(random), value(random));
      records.add(next);
      left -= next.key().capacity() + next.value().capacity() + 16;
    }
    return records;
  }

  private static byte[] bits(Random random, int same, int atMost) {
    byte[] bytes = new byte[same + random.nextInt(atMost + 1)];
    for (int i = same; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(2);
    }
    return bytes;
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
