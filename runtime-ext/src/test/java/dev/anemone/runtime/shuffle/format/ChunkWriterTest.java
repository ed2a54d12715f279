// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.ListedRun;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.WrittenRuns;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkWriterTest {

  private static final Producer PRODUCER = new Producer(7, 2);

  private final TaskMemory memory =
      new TaskMemory(new PagePool(PagePool.PAGE_BYTES), PagePool.PAGE_BYTES);
  private final WrittenRuns sink = new WrittenRuns();

  @ParameterizedTest
  @EnumSource(Codec.class)
  void chunksAreIntactAndOnlyTheFirstStartsTheRun(Codec codec) throws Exception {
    write(codec, new byte[1000], 300);
    WrittenRuns.Run run = sink.runs().get(0);
    assertThat(sink.runs()).hasSize(1);
    assertThat(run.chunks()).hasSize(5);
    for (byte[] bytes : run.chunks()) {
      ByteBuffer chunk = ByteBuffer.wrap(bytes);
      int storedLength = bytes.length - ChunkFormat.HEADER_BYTES;
      assertThat(ChunkFormat.startsRun(chunk, 0)).isEqualTo(bytes == run.chunks().get(0));
      assertThat(ChunkFormat.codec(chunk, 0)).isEqualTo(codec);
      assertThat(ChunkFormat.rawLength(chunk, 0)).isBetween(storedLength, ChunkFormat.CHUNK_BYTES);
      assertThat(ChunkFormat.producer(chunk, 0, null)).isEqualTo(PRODUCER);
      assertThat(ChunkFormat.isIntact(chunk, 0, storedLength, new CRC32C())).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void whatDoesNotShrinkIsStoredAsItIs(Codec codec) throws Exception {
    byte[] noise = new byte[ChunkFormat.CHUNK_BYTES - 1000];
    new Random(1).nextBytes(noise);
    write(codec, noise, 9);
    assertThat(sink.runs().get(0).chunks()).hasSize(9);
    for (byte[] chunk : sink.runs().get(0).chunks()) {
      assertThat(ChunkFormat.codec(ByteBuffer.wrap(chunk), 0)).isEqualTo(Codec.NONE);
      assertThat(chunk)
          .hasSize(ChunkFormat.HEADER_BYTES + ChunkFormat.rawLength(ByteBuffer.wrap(chunk), 0));
    }
  }

  @Test
  void aRecordLargerThanAChunkHasOneToItself() throws Exception {
    write(Codec.ZSTD, new byte[ChunkFormat.CHUNK_BYTES], 3);
    assertThat(sink.runs()).hasSize(1);
    assertThat(sink.runs().get(0).chunks())
        .hasSize(3)
        .allSatisfy(
            chunk ->
                assertThat(ChunkFormat.rawLength(ByteBuffer.wrap(chunk), 0))
                    .isGreaterThan(ChunkFormat.CHUNK_BYTES));
  }

  private void write(Codec codec, byte[] value, int records) throws Exception {
    TestRecord record = new TestRecord(1, ByteBuffer.allocate(0), ByteBuffer.wrap(value));
    RunCursor run = new ListedRun(Collections.nCopies(records, record));
    try (ChunkWriter writer = new ChunkWriter(codec, PRODUCER, memory)) {
      assertThat(writer.write(1, run, sink)).isEqualTo(records);
    }
    assertThat(memory.usedBytes()).isZero();
  }
}
